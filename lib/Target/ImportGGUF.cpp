#include "lane/Target/Translations.h"
void lane::registerImportGGUFTranslation() {}
void lane::registerGGUFToJsonTranslation() {}
