import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Button, MultiSelect, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { LazyLibraryItemUseCount, LazyLibraryItemUses } from '../impact/item-uses.web.tsx'
import { loadRetireConfirmationText } from '../impact/retire-question.web.ts'
import { libraryOwnerOf } from '../statements/selection.ts'
import { type LibraryHazard, useIndustries, useLibraryGroups, useRefetchLibrary } from './data.web.ts'
import { HazardGroupInput } from './group-input.web.tsx'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'

interface FormProps {
  /** ID of the record to edit; undefined for a new record. */
  readonly id?: number
  readonly onDone: (iri?: string) => void
}

/** Form to create or edit one of the company's own hazards. */
export function HazardForm({ id, group, onDone }: FormProps & { readonly group?: string | undefined }) {
  const one = useApiRecord(hazard, id)
  const refresh = useRefetchLibrary()
  const industries = useIndustries().data?.['hydra:member'].map((i) => i.name ?? '') ?? []
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (id !== undefined && !one.data) return <LoadingRows rows={4} />
  return (
    <>
      <ResourceForm
        key={id ?? 'new'}
        resource={hazard}
        fields={['name', 'group', 'description', 'industries']}
        wide={['industries']}
        {...(id === undefined ? { defaults: { group } } : one.data ? { record: one.data } : {})}
        inputs={{
          group: (props) => <HazardGroupInput {...props} />,
          industries: ({ id: input, value, onChange, error }) => (
            <MultiSelect
              id={input}
              label="Industries"
              description="Leave empty for all industries."
              data={industries}
              value={Array.isArray(value) ? value : []}
              onChange={onChange}
              error={error}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': 'Clear industries' }}
            />
          ),
        }}
        action={id === undefined ? 'Create hazard' : 'Save hazard'}
        onCancel={onDone}
        onSaved={(saved) => void refresh().then(() => onDone(saved['@id']))}
        beside={one.data && <LazyLibraryItemUseCount of={one.data} />}
      />
      {id !== undefined && <Retire resource={hazard} id={id} word="hazard" onDone={onDone} />}
      {one.data && id !== undefined && <LazyLibraryItemUses of={one.data} called={`The hazard “${one.data.name}”`} />}
    </>
  )
}

/**
 * Form to create or edit one of the company's own controls. The control's hazard can be the company's own or a
 * template.
 */
export function HazardControlForm({ id, of, onDone }: FormProps & { readonly of: LibraryHazard }) {
  const one = useApiRecord(hazardControl, id)
  const refresh = useRefetchLibrary()
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (id !== undefined && !one.data) return <LoadingRows rows={4} />
  return (
    <>
      <Text mb="sm">
        For the hazard <b>{of.name}</b>
      </Text>
      <ResourceForm
        key={id ?? 'new'}
        resource={hazardControl}
        fields={['name', 'tier', 'description']}
        {...(id === undefined ? { extra: { hazard: of['@id'] } } : one.data ? { record: one.data } : {})}
        action={id === undefined ? 'Create control' : 'Save control'}
        beside={one.data && <LazyLibraryItemUseCount of={one.data} />}
        onCancel={onDone}
        onSaved={() => void refresh().then(() => onDone())}
      />
      {id !== undefined && <Retire resource={hazardControl} id={id} word="control" onDone={onDone} />}
      {one.data && id !== undefined && <LazyLibraryItemUses of={one.data} called={`The control “${one.data.name}”`} />}
    </>
  )
}

/** Form to create or rename one of the company's own groups. */
export function HazardGroupForm({ onDone }: { readonly onDone: () => void }) {
  const actor = useActor()
  const [id, setId] = useState<number>()
  const groups = useLibraryGroups(null)
  const refresh = useRefetchLibrary()
  const own = groups.data?.filter((g) => can(actor, 'update', hazardGroup, { clientId: libraryOwnerOf(g) })) ?? []
  const one = useApiRecord(hazardGroup, id)
  return (
    <>
      {own.length > 0 && (
        <Select
          label="Group"
          description="Rename one of your own groups or create a new one."
          data={[{ value: '', label: 'New group' }, ...own.map((g) => ({ value: String(g.id), label: g.name }))]}
          value={id === undefined ? '' : String(id)}
          onChange={(v) => setId(v ? Number(v) : undefined)}
          allowDeselect={false}
          mb="md"
        />
      )}
      {id !== undefined && !one.data ? (
        <LoadingRows rows={2} />
      ) : (
        <ResourceForm
          key={id ?? 'new'}
          resource={hazardGroup}
          fields={['name']}
          {...(id !== undefined && one.data ? { record: one.data } : {})}
          action={id === undefined ? 'Create group' : 'Save group'}
          onCancel={onDone}
          onSaved={() => void refresh().then(onDone)}
        />
      )}
      {id !== undefined && <Retire resource={hazardGroup} id={id} word="group" onDone={onDone} />}
    </>
  )
}

interface RetireProps {
  readonly resource: Resource
  readonly id: number
  readonly word: string
  readonly onDone: () => void
}

function Retire({ resource, id, word, onDone }: RetireProps) {
  const [confirm, ask] = useConfirm()
  const save = useSaveRecord(resource)
  const refresh = useRefetchLibrary()
  const retire = async () => {
    const used = resource === hazardGroup ? '' : await loadRetireConfirmationText([{ '@id': iriOf(resource, id) }])
    const sure = await ask({
      title: `Retire this ${word}`,
      question: used || `This ${word} will no longer be offered. Documents that already use it are unchanged.`,
      action: `Retire ${word}`,
      meaning: 'stop',
    })
    if (!sure) return
    try {
      await save.mutateAsync({ id, values: { retired: true } })
      await refresh()
      toast.saved('item retired')
      onDone()
    } catch (e) {
      toast.failed(e, () => void retire())
    }
  }
  return (
    <>
      <Button mt="sm" variant="subtle" color="red.8" onClick={() => void retire()}>
        {`Retire ${word}`}
      </Button>
      {confirm}
    </>
  )
}
