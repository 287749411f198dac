/* winscard.h includes <pcsclite.h> plainly, so pkg-config's include path is needed. */
#include <winscard.h>
#include <reader.h>

/* A cast macro, which Swift cannot read. */
static const unsigned long tapwireAutoAllocate = SCARD_AUTOALLOCATE;
