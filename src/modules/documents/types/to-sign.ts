/** Something that somebody must sign: a paper, or what a kind keeps beside its papers. */
export interface ToSign {
  /** Unique among all of them. */
  readonly key: string
  /** The document that is signed by it. */
  readonly document: number | undefined
  readonly to: string
  readonly title: string
  readonly detail: string
  /** By which day: `2026-03-12`. */
  readonly by: string
}

/** A list of the API of what somebody must sign, and how one of it reads. */
export interface ToSignList {
  readonly url: string
  readonly read: (one: never) => ToSign
}

/** Keeps the type of what is listed while it is declared. */
export const toSignList = <T>(url: string, read: (one: T) => ToSign): ToSignList => ({ url, read })
