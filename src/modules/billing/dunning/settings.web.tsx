import { useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { dunningSettings } from './settings.ts'

const WIDE = ['automatic', 'remindAll', 'final']

/** By which rules invoices are collected: those who look after money change them. */
export function DunningRules({ onDone }: { readonly onDone: () => void }) {
  const rules = useList(dunningSettings)
  const record = rules.data?.['hydra:member'][0]
  if (rules.isError) return <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
  if (!record) return <LoadingRows rows={6} />
  return <ResourceForm resource={dunningSettings} record={record} wide={WIDE} onCancel={onDone} onSaved={onDone} />
}
