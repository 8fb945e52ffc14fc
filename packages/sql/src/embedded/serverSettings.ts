/** The Postgres whose folders are opened. */
export const MAJOR = "18"

/** How a new database is made: it sorts by code points, the same on every machine and with every version of the system. */
export const INITIALISE = [
  "--username=earmark",
  // Only those who may enter the folder of the socket reach it.
  "--auth=trust",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--text-search-config=simple",
  "--no-instructions",
  "--sync-method=syncfs",
]

const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: 100,
  // The working set is small, and the system caches files.
  shared_buffers: "16MB",
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  temp_buffers: "1MB",
  // What was acknowledged survives a power loss.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // No replicas, and no workers that would cost memory: statements here are short.
  wal_level: "minimal",
  max_wal_senders: 0,
  max_worker_processes: 0,
  max_parallel_workers: 0,
  max_parallel_workers_per_gather: 0,
  max_logical_replication_workers: 0,
  io_method: "sync",
  jit: "off",
  huge_pages: "off",
  // The folder stays near 40 MB.
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  wal_buffers: "1MB",
  checkpoint_timeout: "15min",
  // Containers have 64 MB of /dev/shm.
  dynamic_shared_memory_type: "mmap",
  // Rows of queues die fast.
  autovacuum: "on",
  autovacuum_max_workers: 1,
  autovacuum_worker_slots: 1,
  autovacuum_naptime: "30s",
  autovacuum_vacuum_scale_factor: 0.05,
  autovacuum_vacuum_cost_delay: "2ms",
  restart_after_crash: "on",
  // The default opens every file after a crash, which takes seconds.
  recovery_init_sync_method: "syncfs",
  // Statements of killed processes end.
  client_connection_check_interval: "2s",
  // Logs hold no data of customers, and do not grow.
  log_min_messages: "fatal",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  timezone: "UTC",
  log_timezone: "UTC",
}

/** The settings of the server as arguments of its program. */
export const SERVER_ARGUMENTS = Object.entries(SETTINGS).flatMap(([name, value]) => [
  "-c",
  `${name}=${value}`,
])
