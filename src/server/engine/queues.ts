/** How the jobs of a lane are done. */
export interface Lane {
  /** Jobs that one process does at the same time. */
  readonly atOnce: number
  /** Jobs that are fetched together: of short ones, fetching each by itself takes longer than doing it. One unless said. */
  readonly fetched?: number
  /** A job that takes longer is taken to have failed. */
  readonly seconds: number
}

/** Work goes in lanes, so that a letter never waits for an import, nor an import for a mail server that hangs. */
export const LANES = {
  mail: { atOnce: 4, seconds: 300 },
  /** The help desk of others: one that hangs holds up neither letters nor what follows from records. */
  support: { atOnce: 1, seconds: 60 },
  /** Cards that are charged by the portal itself: each waits for the payment service. */
  payments: { atOnce: 4, seconds: 300 },
  events: { atOnce: 4, fetched: 5, seconds: 300 },
  schedules: { atOnce: 2, seconds: 3600 },
  imports: { atOnce: 2, seconds: 900 },
  bulk: { atOnce: 2, seconds: 900 },
} as const satisfies Readonly<Record<string, Lane>>

export type LaneName = keyof typeof LANES

export const fetchedOf = (lane: LaneName): number => {
  const { fetched = 1 }: Lane = LANES[lane]
  return fetched
}
export const LANE_NAMES = Object.keys(LANES) as LaneName[]

/** A job that fails is tried again: first after some seconds, then after ever longer, at last each hour. */
export const RETRIES = { retryLimit: 8, retryDelay: 15, retryBackoff: true, retryDelayMax: 3600 } as const

/** A process that shows no sign of life for so long has gone: what it was doing is tried again. */
export const SILENT_SECONDS = 60
