import { loadRecordUsageSentence } from '#web/api/used-by.ts'

/** Maximum number of items whose uses are checked when several items are retired together. */
const MAX_CHECKED_ITEMS = 20

interface Item {
  readonly '@id': string
  readonly name?: string | null
}

/**
 * Loads the confirmation text shown before library items are retired. The text states how documents use the items, and
 * is empty if no item is used. If the items are not given, returns a general text.
 */
export async function loadRetireConfirmationText(items: readonly Item[] | undefined): Promise<string> {
  if (!items)
    return 'Some of these items may be used in documents. The documents keep their content, but the items will no longer be offered.'
  const uses = await Promise.all(
    items.slice(0, MAX_CHECKED_ITEMS).map(async (item) => {
      const used = await loadRecordUsageSentence(item['@id'])
      return used && (items.length > 1 && item.name ? `“${item.name}”: ${used}` : used)
    }),
  )
  const said = uses.filter(Boolean)
  if (!said.length) return ''
  return `${said.join(' ')} The documents keep their content, but the item will no longer be offered.`
}
