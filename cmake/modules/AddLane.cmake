# Functions that declare Lane's libraries, tools and tests. They wrap MLIR's
# functions, which would export Lane's targets in MLIR's own set.

function(add_lane_library name)
  add_mlir_library(${name} ${ARGN} DISABLE_INSTALL EXCLUDE_FROM_LIBMLIR)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_property(GLOBAL APPEND PROPERTY LANE_EXPORTS ${name})
endfunction()

function(add_lane_tool name)
  add_llvm_executable(${name} ${ARGN})
  llvm_update_compile_flags(${name})
  # Debian keeps libMLIR.so outside the default path of the loader.
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LLVM_LIBRARY_DIR}"
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set_property(GLOBAL APPEND PROPERTY LANE_EXPORTS ${name})
endfunction()

# Generates Markdown from the descriptions of a TableGen file. The target lane-doc
# collects all of it in docs/ of the build.
function(lane_add_doc name)
  tablegen(MLIR ${name}.md ${ARGN})
  set(doc ${PROJECT_BINARY_DIR}/docs/Reference/${name}.md)
  add_custom_command(OUTPUT ${doc}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${name}.md ${doc}
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.md)
  add_custom_target(lane-doc-${name} DEPENDS ${doc})
  add_dependencies(lane-doc lane-doc-${name})
endfunction()

# A GoogleTest program that ctest runs. LANE_TEST_INPUTS_DIR is the test folder.
function(add_lane_unittest name)
  add_executable(${name} ${ARGN})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
    LANE_TEST_INPUTS_DIR="${PROJECT_SOURCE_DIR}/test")
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  add_test(NAME ${name} COMMAND ${name})
  add_dependencies(LaneUnitTests ${name})
endfunction()

# lane_embed_text(out.inc FILE NAME ...): generates a header in the build folder
# with the text of each FILE as the string literal NAME.
function(lane_embed_text out)
  set(files)
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs file name)
    list(APPEND files ${file})
  endwhile()
  string(REPLACE ";" "|" pairs "${ARGN}")
  add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/${out}
            "-DPAIRS=${pairs}" -P ${PROJECT_SOURCE_DIR}/cmake/modules/EmbedText.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/modules/EmbedText.cmake
    VERBATIM)
  add_custom_target(lane-text-${out} DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${out})
  add_dependencies(lane-headers lane-text-${out})
endfunction()
