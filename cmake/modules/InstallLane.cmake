# Install and export rules: `find_package(Lane)` from another project.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(lane_exports GLOBAL PROPERTY LANE_EXPORTS)
install(TARGETS ${lane_exports}
  EXPORT LaneTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/lane ${PROJECT_SOURCE_DIR}/include/lane-c
  ${PROJECT_BINARY_DIR}/include/lane
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td"
  PATTERN "CMakeFiles" EXCLUDE)

set(LANE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/lane)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/modules/LaneConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/LaneConfig.cmake
  INSTALL_DESTINATION ${LANE_CMAKE_DIR}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/LaneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/LaneConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/LaneConfigVersion.cmake
  DESTINATION ${LANE_CMAKE_DIR})
install(EXPORT LaneTargets DESTINATION ${LANE_CMAKE_DIR})
