import type { Page } from '@playwright/test'

/** Screen to open, and what makes it useful. */
export interface BenchScreen {
  readonly name: string
  readonly path: string
  /** Username; nobody is signed in on the sign-in page. */
  readonly as?: string
  /** Selector of the first content to read or use. */
  readonly useful: string
}

/** Selectors of a product's controls for working with leads. */
export interface PageSelectors {
  /** List screen; its rows are the useful content. */
  readonly list: BenchScreen
  /** Number of rows on a page. */
  readonly rows: number
  /** Attribute that identifies a row. */
  readonly names: string
  readonly next: string
  /** Control that sorts the list by another field, and the control that reveals it. */
  readonly sort: { readonly before?: string; readonly press: string }
  /** Present once a record is open. */
  readonly record: string
  /** Link back to the list; the browser's Back if there is none. */
  readonly back?: string
  readonly form: { readonly path: string; readonly field: string }
  /** Finishes several records; returns the milliseconds of one. On a desktop by keys if the product has them. */
  readonly finish: (page: Page, atDesk: boolean) => Promise<number>
}

/** Web site to open pages of. */
export interface BenchSite {
  readonly name: string
  readonly base: string
}

/** Web product for working with leads. */
export interface BenchProduct extends BenchSite {
  readonly screens: readonly BenchScreen[]
  readonly marks: PageSelectors
  stop(): Promise<void>
}
