export interface QueueSettings {
  /** Maximum concurrent jobs in one process. */
  readonly concurrency: number
  /** Number of jobs fetched together, which saves time if jobs are short; one by default. */
  readonly batchSize?: number
  readonly timeoutSeconds: number
  /** Maximum concurrent jobs of one client in one process. In a queue with this limit, clients take turns. */
  readonly perClient?: number
}

/**
 * Separate queues. An e-mail therefore never waits for an import, and an import never waits for a mail server that
 * hangs.
 */
export const QUEUES = {
  mail: { concurrency: 4, timeoutSeconds: 300 },
  /** A help desk that hangs must not delay e-mails or follow-up work. */
  support: { concurrency: 1, timeoutSeconds: 60 },
  /** Each card charge waits for the payment service. */
  payments: { concurrency: 4, timeoutSeconds: 300 },
  events: { concurrency: 4, batchSize: 5, timeoutSeconds: 300 },
  schedules: { concurrency: 2, timeoutSeconds: 3600 },
  /** Reading the text of uploaded files may take a long time, and nobody waits for it. */
  files: { concurrency: 2, perClient: 1, timeoutSeconds: 120 },
  imports: { concurrency: 2, perClient: 1, timeoutSeconds: 900 },
  bulk: { concurrency: 2, perClient: 1, timeoutSeconds: 900 },
} as const satisfies Readonly<Record<string, QueueSettings>>

export type QueueName = keyof typeof QUEUES

export const batchSizeOf = (name: QueueName): number => {
  const { batchSize: fetched = 1 }: QueueSettings = QUEUES[name]
  return fetched
}

export const perClientLimitOf = (name: QueueName): number | undefined => {
  const { perClient }: QueueSettings = QUEUES[name]
  return perClient
}
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

/**
 * Retry policy: a failed job is retried up to eight times, first after about 15 seconds, then with exponential backoff
 * of at most an hour.
 */
export const RETRY_POLICY = { retryLimit: 8, retryDelay: 15, retryBackoff: true, retryDelayMax: 3600 } as const

/** Seconds without a heartbeat after which a process is considered dead and its jobs are retried. */
export const HEARTBEAT_TIMEOUT_SECONDS = 60
