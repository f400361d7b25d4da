/** Copy of an item of protective equipment, as it was when chosen. */
export interface PpeItem {
  readonly id: number
  readonly label: string
  /** Name of a drawing, such as `M014`. */
  readonly image: string
  readonly iso7010: string | null
}

interface Known {
  readonly id: number
  readonly name: string | null
  readonly image: string | null
}

/** Returns the chosen items by ID. Each is the stored copy or, if there is none, the library's current item. */
export const resolvePpeItems = (
  ids: readonly number[],
  library: readonly Known[],
  kept: readonly PpeItem[],
): PpeItem[] =>
  ids.flatMap((id) => {
    const was = kept.find((k) => k.id === id)
    if (was) return [was]
    const now = library.find((p) => p.id === id)
    const image = now?.image ?? ''
    return now ? [{ id, label: now.name ?? '', image, iso7010: /^[A-Z]\d{3}$/.test(image) ? image : null }] : []
  })
