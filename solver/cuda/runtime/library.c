#include "library.h"

#include <dlfcn.h>
#include <stdio.h>

void *gmg_library_open(const char *const *names, const char *what, char *reason, size_t size)
{
  void *library = NULL;
  for (const char *const *name = names; *name && !library; name++)
    library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    snprintf(reason, size, "there is no %s here (%s was not found)", what, names[0]);
  return library;
}

int gmg_library_find(void *library, const char *name, void *pointer, const char *what, char *reason,
                     size_t size)
{
  *(void **)pointer = dlsym(library, name);
  if (*(void **)pointer)
    return 0;
  snprintf(reason, size, "the %s here is too old: it has no %s", what, name);
  return -1;
}
