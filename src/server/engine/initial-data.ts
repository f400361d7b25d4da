import type { Context, Engine } from './types.ts'

/** A part of a portal's initial data. */
export interface InitialDataPart {
  readonly name: string
  /** Names of the parts that must be loaded before this part. */
  readonly needs?: readonly string[]
}

/** A list that the portal requires, or several related lists. */
export interface ReferenceData extends InitialDataPart {
  /** Incremented when the data changes, so that it is loaded again. */
  readonly edition: number
  /**
   * Adds missing entries and preserves users' changes. Runs in a transaction of the provider that may write all
   * tenants' lists.
   */
  readonly load: (c: Context) => Promise<void>
}

/** A part of the demo data: past actions with their actors and times, performed through the engine. */
export interface DemoDataPart extends InitialDataPart {
  readonly tell: (engine: Engine) => Promise<void>
}
