# A Debian package of the tools, the libraries, the headers and the plugin:
# `cpack -G DEB` in the build folder. It lists its dependencies, because the tool
# that finds them (dpkg-shlibdeps) is not on every machine.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lane)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Lane authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Plans where the weights of a language model are stored, and generates the code")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libstdc++6, libmlir-22, libllvm22")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmlir-22-dev, mlir-22-tools")
include(CPack)
