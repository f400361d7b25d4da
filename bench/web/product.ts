import type { Page } from '@playwright/test'

/** A screen to open, and the content that makes it useful. */
export interface BenchScreen {
  readonly name: string
  readonly path: string
  /** Username to sign in with; absent for the sign-in page. */
  readonly as?: string
  /** Selector of the first content that a user can read or use. */
  readonly useful: string
}

/** Selectors of a product's controls for working with leads. */
export interface LeadPageSelectors {
  /** List screen; its rows are the useful content. */
  readonly list: BenchScreen
  /** Number of rows on a page. */
  readonly rows: number
  /** Attribute that identifies a row. */
  readonly names: string
  readonly next: string
  /**
   * Selectors of the control that sorts the list by another field (`press`) and, if it is hidden at first, of the
   * control that reveals it (`before`).
   */
  readonly sort: { readonly before?: string; readonly press: string }
  /** Selector of an element that is present when a record is open. */
  readonly record: string
  /** Selector of the link back to the list; without one, the browser's Back is used. */
  readonly back?: string
  readonly form: { readonly path: string; readonly field: string }
  /**
   * Ends the calls for several records, and returns the milliseconds for one. On a desktop, it uses shortcut keys if
   * the product has them.
   */
  readonly finish: (page: Page, atDesk: boolean) => Promise<number>
}

export interface BenchSite {
  readonly name: string
  readonly base: string
}

export interface BenchProduct extends BenchSite {
  readonly screens: readonly BenchScreen[]
  readonly marks: LeadPageSelectors
  stop(): Promise<void>
}
