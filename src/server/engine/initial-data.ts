import type { Context, Engine } from './types.ts'

/** A part of a portal's initial data. */
export interface InitialDataPart {
  readonly name: string
  /** Names of the parts that must be loaded before it. */
  readonly needs?: readonly string[]
}

/** Lists that the portal requires: one, or several related ones. */
export interface ReferenceData extends InitialDataPart {
  /** Incremented when the data changes, so that it is loaded again. */
  readonly edition: number
  /**
   * Adds missing entries and preserves users' changes. Runs in a transaction of the provider that may write lists of
   * all tenants.
   */
  readonly load: (c: Context) => Promise<void>
}

/** A part of the demo data, created through the engine: past actions with their actors and times. */
export interface DemoDataPart extends InitialDataPart {
  readonly tell: (engine: Engine) => Promise<void>
}
