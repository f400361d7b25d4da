/** How the jobs of a lane are done. */
export interface Queue {
  /** Jobs that one process does at the same time. */
  readonly concurrency: number
  /** Jobs that are fetched together: of short ones, fetching each by itself takes longer than doing it. One unless said. */
  readonly batchSize?: number
  /** A job that takes longer is taken to have failed. */
  readonly timeoutSeconds: number
}

/** Work goes in lanes, so that a letter never waits for an import, nor an import for a mail server that hangs. */
export const QUEUES = {
  mail: { concurrency: 4, timeoutSeconds: 300 },
  /** The help desk of others: one that hangs holds up neither letters nor what follows from records. */
  support: { concurrency: 1, timeoutSeconds: 60 },
  /** Cards that are charged by the portal itself: each waits for the payment service. */
  payments: { concurrency: 4, timeoutSeconds: 300 },
  events: { concurrency: 4, batchSize: 5, timeoutSeconds: 300 },
  schedules: { concurrency: 2, timeoutSeconds: 3600 },
  imports: { concurrency: 2, timeoutSeconds: 900 },
  bulk: { concurrency: 2, timeoutSeconds: 900 },
} as const satisfies Readonly<Record<string, Queue>>

export type QueueName = keyof typeof QUEUES

export const batchSizeOf = (lane: QueueName): number => {
  const { batchSize: fetched = 1 }: Queue = QUEUES[lane]
  return fetched
}
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]

/** A job that fails is tried again: first after some seconds, then after ever longer, at last each hour. */
export const RETRIES = { retryLimit: 8, retryDelay: 15, retryBackoff: true, retryDelayMax: 3600 } as const

/** A process that shows no sign of life for so long has gone: what it was doing is tried again. */
export const HEARTBEAT_TIMEOUT_SECONDS = 60
