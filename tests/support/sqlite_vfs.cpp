#include "tests/support/sqlite_vfs.hpp"

#include <sqlite3.h>

#include <cstring>
#include <new>
#include <string>

namespace countertop::test {

std::atomic<bool> TestVfs::is_full{false};
std::atomic<std::int64_t> TestVfs::wal_syncs{0};
std::atomic<std::int64_t> TestVfs::bytes_written{0};

namespace {

struct File {
  sqlite3_file base;
  bool is_wal;
  sqlite3_file* real;  // in the memory behind this struct
};

sqlite3_vfs* real_vfs = nullptr;

sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real; }

int close_file(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }
int read_file(sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
  return real(file)->pMethods->xRead(real(file), data, size, at);
}
int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  sqlite3_int64 length = 0;
  real(file)->pMethods->xFileSize(real(file), &length);
  if (TestVfs::is_full && at + size > length) return SQLITE_FULL;
  TestVfs::bytes_written += size;
  return real(file)->pMethods->xWrite(real(file), data, size, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
  if (reinterpret_cast<File*>(file)->is_wal) ++TestVfs::wal_syncs;
  return real(file)->pMethods->xSync(real(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock_file(sqlite3_file* file, int level) { return real(file)->pMethods->xLock(real(file), level); }
int unlock_file(sqlite3_file* file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
int check_lock(sqlite3_file* file, int* out) {
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
int control(sqlite3_file* file, int op, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), op, argument);
}
int sector(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int shm_unmap(sqlite3_file* file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

const sqlite3_io_methods kMethods = {2,           close_file, read_file,       write_file,  truncate_file,
                                     sync_file,   file_size,  lock_file,       unlock_file, check_lock,
                                     control,     sector,     characteristics, shm_map,     shm_lock,
                                     shm_barrier, shm_unmap,  nullptr,         nullptr};

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* const own = reinterpret_cast<File*>(file);
  own->base.pMethods = nullptr;
  own->is_wal = (flags & SQLITE_OPEN_WAL) != 0;
  own->real = reinterpret_cast<sqlite3_file*>(own + 1);
  const int code = real_vfs->xOpen(real_vfs, name, own->real, flags, out_flags);
  if (code == SQLITE_OK) own->base.pMethods = &kMethods;
  return code;
}

sqlite3_vfs own_vfs;

}  // namespace

TestVfs::TestVfs() {
  real_vfs = sqlite3_vfs_find(nullptr);
  own_vfs = *real_vfs;
  own_vfs.zName = "countertop-test";
  own_vfs.szOsFile = static_cast<int>(sizeof(File)) + real_vfs->szOsFile;
  own_vfs.pNext = nullptr;
  own_vfs.xOpen = open_file;
  is_full = false;
  wal_syncs = 0;
  bytes_written = 0;
  sqlite3_vfs_register(&own_vfs, 1);
}

TestVfs::~TestVfs() {
  is_full = false;
  sqlite3_vfs_unregister(&own_vfs);
  sqlite3_vfs_register(real_vfs, 1);
}

}  // namespace countertop::test
