import type { Page } from '@playwright/test'

/** A screen that people begin with, and what of it is of use. */
export interface Screen {
  readonly name: string
  readonly path: string
  /** Whoever opens it; nobody who has signed in, for the sign-in page. */
  readonly as?: string
  /** There is something to read or to do as soon as this is seen. */
  readonly useful: string
}

/** What of a product's pages is pressed and waited for, as selectors, by whoever works with leads. */
export interface Marks {
  /** The list; what is of use in it are its rows. */
  readonly list: Screen
  /** How many rows are on a page. */
  readonly rows: number
  /** The attribute that tells a row from all others. */
  readonly names: string
  readonly next: string
  /** What sorts the list by another field, and what is pressed for it to be there. */
  readonly sort: { readonly before?: string; readonly press: string }
  /** A record is open when this is there. */
  readonly record: string
  /** What leads back to the list; the browser's own way where there is none. */
  readonly back?: string
  readonly form: { readonly path: string; readonly field: string }
  /** Ends what is to be done with a record, several times: milliseconds of one. At a desk by keys where there are some. */
  readonly finish: (page: Page, atDesk: boolean) => Promise<number>
}

/** What pages are opened in. */
export interface Site {
  readonly name: string
  readonly base: string
}

/** Something that people open in a browser to work with leads. */
export interface Product extends Site {
  readonly screens: readonly Screen[]
  readonly marks: Marks
  stop(): Promise<void>
}
