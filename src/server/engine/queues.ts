export interface Queue {
  /** Jobs at once in one process. */
  readonly concurrency: number
  /** Jobs fetched together: short ones take less time than fetching each by itself. One by default. */
  readonly batchSize?: number
  readonly timeoutSeconds: number
}

/** Separate queues, so that a letter never waits for an import, nor an import for a mail server that hangs. */
export const QUEUES = {
  mail: { concurrency: 4, timeoutSeconds: 300 },
  /** An external help desk that hangs must not hold up letters or follow-up work. */
  support: { concurrency: 1, timeoutSeconds: 60 },
  /** Charges of cards each wait for the payment service. */
  payments: { concurrency: 4, timeoutSeconds: 300 },
  events: { concurrency: 4, batchSize: 5, timeoutSeconds: 300 },
  schedules: { concurrency: 2, timeoutSeconds: 3600 },
  imports: { concurrency: 2, timeoutSeconds: 900 },
  bulk: { concurrency: 2, timeoutSeconds: 900 },
} as const satisfies Readonly<Record<string, Queue>>

export type QueueName = keyof typeof QUEUES

export const batchSizeOf = (name: QueueName): number => {
  const { batchSize: fetched = 1 }: Queue = QUEUES[name]
  return fetched
}
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

/** A failed job is tried again after some seconds, then after ever longer, at last each hour. */
export const RETRIES = { retryLimit: 8, retryDelay: 15, retryBackoff: true, retryDelayMax: 3600 } as const

/** A process without a sign of life for so long has died: its jobs are tried again. */
export const HEARTBEAT_TIMEOUT_SECONDS = 60
