// For MPIs without large-count constructors.
#include "kinds.h"

const struct kind more_kinds[] = {{0, 0, 0}};
