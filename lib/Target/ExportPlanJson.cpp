#include "lane/Target/Translations.h"
void lane::registerExportPlanJsonTranslation() {}
