/** An item that a person must sign: a document, or another record that belongs to a document type. */
export interface ItemToSign {
  readonly key: string
  readonly document: number | undefined
  readonly to: string
  readonly title: string
  readonly detail: string
  /** Due date, such as `2026-03-12`. */
  readonly by: string
}

/** URL of an API list of items to sign, and the function that converts a list member into an item. */
export interface ItemsToSignList {
  readonly url: string
  readonly read: (one: never) => ItemToSign
}

/** Declares a list of items to sign, inferring the item type. */
export const defineItemsToSignList = <T>(url: string, read: (one: T) => ItemToSign): ItemsToSignList => ({ url, read })
