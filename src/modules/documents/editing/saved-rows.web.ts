import type { Values } from '#kernel/forms/visible.ts'
import type { Version } from '#web/forms/schema/autosave.ts'
import { recordAt } from '#web/forms/schema/record.ts'
import type { FormStore } from '#web/forms/schema/store.ts'
import { type Row, withIds } from './saved-rows.ts'

/**
 * How a record with rows is saved: a row that was new has its address afterwards, so that the next save changes it instead of
 * making another.
 */
export function savedRows(store: FormStore, iri: string, rows: readonly string[]) {
  const { load, save } = recordAt(iri)
  return {
    load,
    save: async (changes: Values, etag: string | null): Promise<Version> => {
      const answer = await save(changes, etag)
      for (const name of rows.filter((n) => n in changes)) {
        const sent = (changes[name] as Row[] | null) ?? []
        const kept = ((answer.record[name] as Row[] | undefined) ?? []).filter((row) => row.retired !== true)
        const now = (store.get([name]) as Row[] | null) ?? []
        const next = withIds(now, sent, kept)
        if (next !== now) store.replace({ [name]: next })
      }
      return answer
    },
  }
}
