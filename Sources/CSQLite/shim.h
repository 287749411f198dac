#include <sqlite3.h>

/* A cast macro, which Swift cannot read: SQLite copies what is bound to a statement. */
static const sqlite3_destructor_type tapwireTransient = SQLITE_TRANSIENT;

/* No room for the file that several programs share, which the disk alone decides. */
static const int tapwireNoRoomForSharedMemory = SQLITE_IOERR_SHMSIZE;
