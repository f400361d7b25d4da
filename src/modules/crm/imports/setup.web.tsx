import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Alert, Button, Group, MultiSelect, Radio, Stack, Text, Title } from '@mantine/core'
import { IconEye, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { capitalise } from '#kernel/text.ts'
import { ApiError } from '#web/api/client.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { ImportColumnsTable } from '#web/imports/columns-table.tsx'
import css from '#web/imports/imports.module.css'
import { errorSentence } from '#web/ui/toast.ts'
import { EXISTING_LEAD_CHOICES, leadSource } from '../contacts/import-batch.ts'
import { staff } from '../staff/staff.ts'
import { checkColumnMapping, IMPORT_FIELDS } from './columns.ts'
import { formatCount, type LeadImportRecord, useImportAction } from './data.web.ts'
import { ChangedLeadsSample, ImportReportReasons, ImportRowCounts } from './result.web.tsx'

/** Returns the label of the button that starts the import after a trial run. */
function describeImport(added: number, updated: number): string {
  const update = updated === 1 ? 'update this existing lead' : `update these ${formatCount(updated)} existing leads`
  const add = added === 1 ? 'Add this lead' : `Add these ${formatCount(added)} leads`
  return updated === 0 ? add : added === 0 ? capitalise(update) : `${add} and ${update}`
}

/** Form for the import settings: column mapping, duplicates and owners. It starts a trial run or the import itself. */
export function ImportSetup({
  batch,
  onCancelled,
}: {
  readonly batch: LeadImportRecord
  readonly onCancelled: () => void
}) {
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>(batch.mapping)
  const chosen = batch.settings
  const [duplicates, setDuplicates] = useState<string>(chosen.duplicates ?? 'skip')
  const [owners, setOwners] = useState((chosen.owners ?? []).map((id) => iriOf(staff, id)))
  const [source, setSource] = useState(chosen.cameFrom ? iriOf(leadSource, chosen.cameFrom) : null)
  const [wrong, setWrong] = useState<readonly string[]>([])
  const act = useImportAction(batch.id)
  const alert = useRef<HTMLDivElement>(null)
  const people = useQuery(listQueryOptions(staff, { pagination: false, retired: false, tray: false }))
  const [last, setLast] = useState<'try' | 'do'>('try')
  const updates = duplicates === 'fill' || duplicates === 'replace'
  const isShown = batch.state === 'checked' && chosen.duplicates === duplicates

  const refuse = (messages: readonly string[]) => {
    setWrong(messages)
    requestAnimationFrame(() => alert.current?.focus())
  }
  const start = async (how: 'try' | 'do') => {
    setLast(how)
    const checked = checkColumnMapping(mapping, batch.columns)
    if (checked.wrong.length) return refuse(checked.wrong.map((v) => v.message))
    setWrong([])
    try {
      const body = { mapping: checked.mapping, duplicates, owners, cameFrom: source, dryRun: how === 'try' }
      await act.mutateAsync({ verb: 'start', body })
    } catch (e) {
      refuse(e instanceof ApiError && e.violations.length ? e.violations.map((v) => v.message) : [errorSentence(e)])
    }
  }
  const busy = act.isPending ? act.variables.verb : undefined
  return (
    <div className={css.stage}>
      {batch.state === 'checked' && (
        <Alert color="signal" title="This was a trial run: nothing has been changed" role="status">
          <ImportRowCounts batch={batch} />
          <ImportReportReasons batch={batch} />
          <ChangedLeadsSample batch={batch} />
          {(batch.rowsAdded ?? 0) + (batch.rowsUpdated ?? 0) > 0 && isShown && (
            <Button mt="sm" loading={busy === 'start' && last === 'do'} onClick={() => void start('do')}>
              {describeImport(batch.rowsAdded ?? 0, batch.rowsUpdated ?? 0)}
            </Button>
          )}
        </Alert>
      )}
      <Title order={2} size="h3">
        Match the columns
      </Title>
      <ImportColumnsTable
        columns={batch.columns}
        sample={batch.sample}
        mapping={mapping}
        fields={IMPORT_FIELDS}
        repeatable="notes"
        onChange={(column, target) => setMapping({ ...mapping, [column]: target })}
      />
      <div className={css.options}>
        <Radio.Group label="Existing leads" value={duplicates} onChange={setDuplicates}>
          <Stack gap="xs" mt={6}>
            {EXISTING_LEAD_CHOICES.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
          <Text size="sm" c="dimmed" mt={6}>
            A lead already exists if it has the same company number, telephone number or e-mail address, or the same
            company name and postcode.
            {updates &&
              ' A row updates a lead only if it matches no other lead. Owners, results and dates never change, nor do the numbers of leads marked “Do not call”. Start a trial run to see the changes first.'}
          </Text>
        </Radio.Group>
        <MultiSelect
          label="Owners"
          description="Leads are divided evenly between the owners. If you choose no owner, the leads are left unassigned."
          data={(people.data?.['hydra:member'] ?? []).map((p) => ({
            value: p['@id'],
            label: p.name ?? p.username ?? '',
          }))}
          value={owners}
          onChange={setOwners}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear owners' }}
          {...(people.isError ? { error: errorSentence(people.error) } : {})}
        />
        <RemoteSelect
          target={leadSource}
          label="Lead source"
          description="Used for rows that contain no lead source."
          value={source}
          onChange={setSource}
        />
      </div>
      {wrong.length > 0 && (
        <Alert ref={alert} tabIndex={-1} role="alert" color="red" title="The import could not be started">
          {wrong.map((message) => (
            <Text key={message} size="sm">
              {message}
            </Text>
          ))}
          {act.isError && (
            <Button mt="xs" size="xs" variant="default" onClick={() => void start(last)}>
              Retry
            </Button>
          )}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          variant={batch.state === 'checked' && batch.rowsAdded ? 'default' : 'filled'}
          disabled={updates && !isShown}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={busy === 'start' && last === 'do'}
          onClick={() => void start('do')}
        >
          Import {formatCount(batch.rowsTotal)} rows
        </Button>
        <Button
          variant="default"
          leftSection={<IconEye size={16} aria-hidden />}
          loading={busy === 'start' && last === 'try'}
          onClick={() => void start('try')}
        >
          {batch.state === 'checked' ? 'Repeat the trial run' : 'Trial run'}
        </Button>
        <Button
          variant="subtle"
          loading={busy === 'cancel'}
          onClick={() =>
            void act.mutateAsync({ verb: 'cancel' }).then(onCancelled, (e: unknown) => refuse([errorSentence(e)]))
          }
        >
          Discard this file
        </Button>
      </Group>
    </div>
  )
}
