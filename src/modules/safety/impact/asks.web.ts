import { readUsedBy } from '#web/api/used-by.ts'

/** So many of what is chosen are looked at before all of it is retired. */
const MOST = 20

interface Item {
  readonly '@id': string
  readonly name?: string | null
}

/** What is asked before things of the library are retired together: where they are used. Nothing where none is. */
export async function asksWhereUsed(items: readonly Item[] | undefined): Promise<string> {
  if (!items) return 'Some of them may be used in documents, which keep what they say. They are offered no more.'
  const uses = await Promise.all(
    items.slice(0, MOST).map(async (item) => {
      const used = await readUsedBy(item['@id'])
      return used && (items.length > 1 && item.name ? `“${item.name}”: ${used}` : used)
    }),
  )
  const said = uses.filter(Boolean)
  if (!said.length) return ''
  return `${said.join(' ')} Documents keep what they say; it is offered no more.`
}
