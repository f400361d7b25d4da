import { useQueryClient } from '@tanstack/react-query'
import { listSetting } from '#kernel/lists/views.ts'
import { ApiError } from '../../api/client.ts'
import { listQueryOptions, useSaveRecord } from '../../api/resources.ts'
import type { ListViews } from '../views/use-views.ts'

type Setting = {
  readonly columns?: string
  /** IRI of the default view. */
  readonly view?: string | null
}

/**
 * Returns a function that saves a person's settings for a list: `await save({ columns: 'name,city' })`. The function
 * throws an ApiError if saving fails.
 */
export function useSaveListSetting({ list, setting }: ListViews): (values: Setting) => Promise<unknown> {
  const save = useSaveRecord(listSetting)
  const queries = useQueryClient()
  return async (values) => {
    if (setting) return save.mutateAsync({ id: setting.id, values })
    try {
      return await save.mutateAsync({ values: { list, ...values } })
    } catch (e) {
      if (!(e instanceof ApiError) || e.status !== 409) throw e
      // If another tab has created the setting in the meantime, that setting is updated.
      const all = await queries.fetchQuery({ ...listQueryOptions(listSetting, { pagination: false }), staleTime: 0 })
      const made = all['hydra:member'].find((s) => s.list === list)
      if (!made) throw e
      return save.mutateAsync({ id: made.id, values })
    }
  }
}
