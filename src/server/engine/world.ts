import type { Context, Engine } from './types.ts'

/** A part of what a portal begins with. */
export interface Part {
  readonly name: string
  /** The names of the parts that must be there before it. */
  readonly needs?: readonly string[]
}

/** Lists that the portal can't do without: one, or a few that belong together. */
export interface Reference extends Part {
  /** Raised when the data changes, so that it is loaded again. */
  readonly edition: number
  /** Adds what is missing and keeps what people have changed. The transaction is the provider's, and may write lists of all tenants. */
  readonly load: (c: Context) => Promise<void>
}

/** A part of the demo world, told through the engine: who did what, and when. */
export interface DemoPart extends Part {
  readonly tell: (engine: Engine) => Promise<void>
}
