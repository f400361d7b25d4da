import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Alert, Button, Group, Radio, Stack, Text, Title } from '@mantine/core'
import { IconEye, IconPlayerPlay } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { formatCountWithNoun, formatInteger } from '#kernel/text.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { ImportColumnsTable } from '#web/imports/columns-table.tsx'
import css from '#web/imports/imports.module.css'
import { errorSentence } from '#web/ui/toast.ts'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import { checkColumnMapping, IMPORT_FIELDS, PRIVATE_IMPORT_FIELDS } from './columns.ts'
import { type EmployeeImportRecord, useImportAction } from './data.web.ts'
import { EXISTING_CHOICES } from './import.ts'
import { ImportCounts, ImportRows } from './result.web.tsx'

const PUBLIC_FIELDS = Object.fromEntries(
  Object.entries(IMPORT_FIELDS).filter(([name]) => !(PRIVATE_IMPORT_FIELDS as readonly string[]).includes(name)),
)

/** Returns the label of the button that imports what a trial run has shown. */
const describeImport = (added: number, updated: number): string =>
  [
    added ? `Add ${formatCountWithNoun(added, 'employee').join(' ')}` : '',
    updated ? `${added ? 'change' : 'Change'} ${formatInteger(updated)}` : '',
  ]
    .filter(Boolean)
    .join(' and ')

/** Settings of an import: which column is which, and what happens to existing employees. */
export function ImportSetup({
  one,
  onDiscarded,
}: {
  readonly one: EmployeeImportRecord
  readonly onDiscarded: () => void
}) {
  const mayImportPrivate = hasRole(useActor(), HR_PRIVATE_ROLE)
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>(one.mapping ?? {})
  const [existing, setExisting] = useState<string>(one.existing ?? 'fill')
  const [wrong, setWrong] = useState<readonly string[]>([])
  const act = useImportAction(one)
  const alert = useRef<HTMLDivElement>(null)
  const [isTrial, setIsTrial] = useState(true)
  const columns = one.columns ?? []
  const isChecked = one.state === 'checked'
  const [added, updated] = [one.added ?? 0, one.updated ?? 0]

  const refuse = (messages: readonly string[]) => {
    setWrong(messages)
    requestAnimationFrame(() => alert.current?.focus())
  }
  const send = async (verb: 'start' | 'discard', dryRun = true) => {
    setIsTrial(dryRun)
    setWrong([])
    const checked = checkColumnMapping(mapping, columns, mayImportPrivate)
    if (verb === 'start' && checked.wrong.length) return refuse(checked.wrong.map(({ message }) => message))
    try {
      await act.mutateAsync({ verb, body: { mapping: checked.mapping, existing, dryRun } })
      if (verb === 'discard') onDiscarded()
    } catch (e) {
      refuse(e instanceof ApiError && e.violations.length ? e.violations.map((v) => v.message) : [errorSentence(e)])
    }
  }
  const isBusy = (trial: boolean) => act.isPending && act.variables.verb === 'start' && isTrial === trial
  const isAsShown = isChecked && existing === one.existing && JSON.stringify(mapping) === JSON.stringify(one.mapping)
  return (
    <div className={css.stage}>
      {isChecked && (
        <Alert color="signal" title="This was a trial run: nothing has been changed" role="status">
          <ImportCounts one={one} />
          {isAsShown && added + updated > 0 && (
            <Button mt="sm" loading={isBusy(false)} onClick={() => void send('start', false)}>
              {describeImport(added, updated)}
            </Button>
          )}
        </Alert>
      )}
      {isChecked && <ImportRows one={one} />}
      <Title order={2} size="h3">
        Match the columns
      </Title>
      <Text size="sm">
        Dates are read in the UK order: 1/2/26 is 1 February 2026. Dates of Excel are recognised. Departments and sites
        must exist. Managers may be in the same file, in any order.
        {!mayImportPrivate && ' Bank details and National Insurance numbers need the role for private details.'}
      </Text>
      <ImportColumnsTable
        columns={columns}
        sample={one.sample ?? []}
        mapping={mapping}
        fields={mayImportPrivate ? IMPORT_FIELDS : PUBLIC_FIELDS}
        onChange={(column, field) => setMapping({ ...mapping, [column]: field })}
      />
      <Radio.Group label="Existing employees" value={existing} onChange={setExisting}>
        <Stack gap="xs" mt={6}>
          {EXISTING_CHOICES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
        <Text size="sm" c="dimmed" mt={6}>
          An employee is recognised by the payroll number, the e-mail address or the name. An empty cell never removes a
          detail.
        </Text>
      </Radio.Group>
      {wrong.length > 0 && (
        <Alert ref={alert} tabIndex={-1} role="alert" color="red" title="The import could not be started">
          {wrong.map((message) => (
            <Text key={message} size="sm">
              {message}
            </Text>
          ))}
        </Alert>
      )}
      <Group gap="sm">
        <Button
          variant={isAsShown ? 'default' : 'filled'}
          leftSection={<IconEye size={16} aria-hidden />}
          loading={isBusy(true)}
          onClick={() => void send('start', true)}
        >
          {isChecked ? 'Repeat the trial run' : 'Trial run'}
        </Button>
        {!isChecked && (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isBusy(false)}
            onClick={() => void send('start', false)}
          >
            Import {formatCountWithNoun(one.rowsTotal ?? 0, 'row').join(' ')}
          </Button>
        )}
        <Button variant="subtle" onClick={() => void send('discard')}>
          Discard this file
        </Button>
      </Group>
    </div>
  )
}
