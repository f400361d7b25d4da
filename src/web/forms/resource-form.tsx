import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCopyCheck } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { checkChangePermission } from '../api/changes.ts'
import { useMe } from '../api/me.ts'
import { DialogActions } from '../ui/dialog.tsx'
import page from '../ui/page.module.css'
import { OfflineNotice } from '../ui/states.tsx'
import { toast } from '../ui/toast.ts'
import { useUnsavedChangesGuard } from '../ui/unsaved.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { FieldInput, type FieldInputProps } from './field-input.tsx'
import css from './resource-form.module.css'
import { useProblemAt, useValueAt } from './store/use-value-store.ts'
import type { ValueStore } from './store/value-store.ts'
import { type ResourceFormSettings, useResourceForm } from './use-resource-form.ts'

/** Custom input for a field. `set` changes other fields that the input fills in, and `store` has their values. */
export type CustomInput = (
  props: FieldInputProps & {
    readonly set: (values: Readonly<Record<string, unknown>>) => void
    readonly store: ValueStore
  },
) => ReactNode

interface Props<R extends Resource> extends ResourceFormSettings<R> {
  readonly onCancel?: () => void
  /** Shows the current version of the record, if a save was rejected because the record had changed. */
  readonly onLook?: () => void
  /** Custom inputs by field. The input for any other field is derived from its declaration. */
  readonly inputs?: Readonly<Record<string, CustomInput>>
  /** Component rendered above the fields. It can read and change the values. */
  readonly Above?: ComponentType<{ readonly store: ValueStore }>
  /** Sections with headings. The default is a single section without a heading. */
  readonly groups?: readonly { readonly title: string; readonly fields: readonly string[] }[]
  /** Names of the fields that take the full width. */
  readonly wide?: readonly string[]
  /** Whether the form takes the focus when it opens; false for one of several forms on a page. */
  readonly focused?: boolean
  /** Content rendered beside the buttons. */
  readonly beside?: ReactNode
}

/**
 * Form for the fields of a declaration. It validates while the person types, using the server's messages. Input is
 * retained after a failed save, and the person is asked before unsaved input is discarded.
 */
export function ResourceForm<R extends Resource>({
  onCancel,
  onLook,
  action,
  inputs = {},
  wide = [],
  Above,
  groups,
  beside,
  focused = true,
  ...settings
}: Props<R>) {
  const form = useResourceForm({ ...settings, ...(action ? { action } : {}), onKept: settings.onKept ?? onCancel })
  const { store, root, shown, submit, dirty, clear, errors, attempt, idOf, actor, saving } = form
  const guard = useUnsavedChangesGuard(dirty && !saving)
  const first = focused ? Object.keys(shown)[0] : undefined
  const drawn = (names: readonly string[]) => (
    <div className={css.fields}>
      {names.map((name) => {
        const field = shown[name]
        return (
          field && (
            <div key={name} className={css.field} data-wide={isWide(field) || wide.includes(name) || undefined}>
              <FormField
                name={name}
                field={field}
                id={idOf(name)}
                store={store}
                first={name === first}
                readOnly={!!field.editable && !hasRole(actor, field.editable)}
                {...(inputs[name] ? { input: inputs[name] } : {})}
              />
            </div>
          )
        )
      })}
    </div>
  )
  return (
    <form
      ref={root}
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        e.stopPropagation()
        void submit()
      }}
    >
      <Stack gap="md">
        <OfflineNotice>
          {settings.resource.asksProof || settings.decided
            ? 'You are offline. What you typed stays on this page. Save it when the connection is back.'
            : 'You are offline. Changes that you save are stored on this device, and sent when the connection is back.'}
        </OfflineNotice>
        <ErrorSummary
          errors={errors}
          attempt={attempt}
          retry={() => void submit()}
          lost={form.lost}
          look={form.overtaken ? onLook : undefined}
        />
        {Above && <Above store={store} />}
        {groups
          ? groups.map(({ title, fields }) => (
              <section key={title} aria-label={title} className={page.card}>
                <Title order={2}>{title}</Title>
                {drawn(fields)}
              </section>
            ))
          : drawn(Object.keys(shown))}
        <LookingNote />
        {form.there && (
          <DuplicateNameNotice
            message={form.there.message}
            onUse={form.there.use}
            onKeep={form.there.keep}
            busy={saving}
          />
        )}
      </Stack>
      <DialogActions>
        {beside}
        {onCancel && (
          <Button
            variant="default"
            onClick={() => {
              if (dirty) toast.canceled()
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        {clear && (
          <Button variant="subtle" onClick={clear}>
            Clear the form
          </Button>
        )}
        <Button type="submit" loading={saving}>
          {action ?? 'Save'}
        </Button>
      </DialogActions>
      {guard}
    </form>
  )
}

interface FormFieldProps {
  readonly name: string
  readonly field: Field
  readonly id: string
  readonly store: ValueStore
  readonly first: boolean
  readonly readOnly: boolean
  readonly input?: CustomInput
}

/** Single field of the form. Typing in the field re-renders no other field. */
function FormField({ name, field, id, store, first, readOnly, input }: FormFieldProps) {
  const value = useValueAt(store, [name])
  const error = useProblemAt(store, [name])
  const record = useSyncExternalStore(store.onDerived, () =>
    field.suggests?.where || field.formatHint ? store.settled() : undefined,
  )
  const props: FieldInputProps = {
    name,
    field,
    id,
    value,
    onChange: (next) => store.set([name], next),
    onBlur: () => store.leave(name),
    readOnly,
    error,
    record,
    autoFocus: first,
  }
  return <>{input ? input({ ...props, set: store.replace, store }) : <FieldInput {...props} />}</>
}

const isWide = (f: Field) => f.kind === 'longText' || f.kind === 'richText' || f.kind === 'json'

/** Note shown during a read-only impersonation: saving will require a reason. */
function LookingNote() {
  if (checkChangePermission(useMe()) === 'yes') return null
  return (
    <Text size="sm" c="dimmed" role="note">
      You are working as another person, with read-only access. You will be asked for a reason before you save.
    </Text>
  )
}

interface DuplicateNameNoticeProps {
  /** Message from the server. */
  readonly message: string
  /** Uses the existing record. Undefined if the form renames a record rather than creating one. */
  readonly onUse: (() => void) | undefined
  readonly onKeep: () => void
  readonly busy: boolean
}

/** Notice that a record with the same name exists. The person can use the existing record, or keep both. */
function DuplicateNameNotice({ message, onUse, onKeep, busy }: DuplicateNameNoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      role="alert"
      color="yellow"
      title="Name already in use"
      icon={<IconCopyCheck aria-hidden />}
    >
      {message}
      <Group gap="sm" mt="sm">
        {onUse && (
          <Button variant="default" onClick={onUse}>
            Use the existing record
          </Button>
        )}
        <Button variant="default" loading={busy} onClick={onKeep}>
          Keep both
        </Button>
      </Group>
    </Alert>
  )
}
