import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconFilePlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { createRandomKey } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { rowKeyOf } from '#web/forms/store/row-key.ts'
import { ChooserAddButton, RecordChooserDialog } from '#web/lists/chooser/record-chooser.tsx'
import offered from '#web/lists/offered/offered.module.css'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { NewerVersionOfferByIri } from '#web/uploads/table.tsx'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf } from '../types/record.web.ts'
import {
  ADD_REFERENCE_PARAM,
  type DocumentReferenceValue,
  type ReferenceTargets,
  type ReferredFile,
  referencedTitle,
} from '../types/reference.ts'
import { AddDocumentDialog } from './add-document.web.tsx'
import css from './references.module.css'

/** A row of the form. An unsaved row has a temporary key. */
type Row = DocumentReferenceValue & { readonly '@key'?: string }

const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as Row[]) : [])
const called = ({ target, file }: DocumentReferenceValue) => target?.documentNumber ?? file?.name ?? 'this item'

export const createReferencesField = (kind: DocumentKind, name: string) => (props: CustomFieldProps) => (
  <ReferencesField {...props} kind={kind} name={name} of={kind.references?.[name] as ReferenceTargets} />
)

interface Props extends CustomFieldProps {
  readonly kind: DocumentKind
  readonly name: string
  readonly of: ReferenceTargets
}

function ReferencesField({ kind, name, of, value, onChange, readOnly, error, id, read }: Props) {
  const rows = rowsOf(value)
  const [search, setSearch] = useSearchParams()
  const isAsked = !readOnly && search.get(ADD_REFERENCE_PARAM) === name
  const [adding, setAdding] = useState<'document' | 'file' | undefined>(isAsked ? 'document' : undefined)
  const [dialog, ask] = useConfirm()
  const close = () => {
    setAdding(undefined)
    if (isAsked) {
      search.delete(ADD_REFERENCE_PARAM)
      setSearch(search, { replace: true })
    }
  }
  const add = (given: Pick<DocumentReferenceValue, 'target' | 'file'>) =>
    onChange([...rows, { ...given, notes: '', '@key': createRandomKey() }])
  const remove = async (row: Row) => {
    const yes = await ask({
      title: `Deleting ${of.label}`,
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (yes) onChange(rows.filter((r) => r !== row))
  }
  const move = (from: number, to: number) => {
    const next = [...rows]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
  }
  return (
    <fieldset className={css.field}>
      <legend>{of.label}</legend>
      {!readOnly && (
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding('document')}
          >
            Add
          </Button>
          {of.files && (
            <Button
              variant="default"
              leftSection={<IconFilePlus size={16} aria-hidden />}
              onClick={() => setAdding('file')}
            >
              Add file
            </Button>
          )}
        </Group>
      )}
      {error && <ErrorText>{error}</ErrorText>}
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {`No ${of.label.replace(/^A/, 'a')}, click the 'ADD' button above to select one.`}
        </Text>
      ) : (
        <ol className={offered.rows}>
          {rows.map((row, i) => (
            <li key={rowKeyOf(row, i)} id={`${id}[${i}]`} tabIndex={-1}>
              <div className={offered.what}>
                <strong>{row.target ? `${row.target.documentNumber}, revision ${row.target.revision}` : 'File'}</strong>
                <span>{row.target ? referencedTitle(row.target) : row.file?.label || row.file?.name}</span>
                {!readOnly && row.file && (
                  <NewerVersionOfferByIri
                    iri={row.file['@id']}
                    onTake={(newest) => onChange(rows.map((r) => (r === row ? { ...r, file: newest } : r)))}
                  />
                )}
                <TextInput
                  aria-label={`Notes on ${called(row)}`}
                  placeholder="Notes"
                  maxLength={500}
                  value={row.notes}
                  readOnly={readOnly}
                  onChange={(e) => onChange(rows.map((r) => (r === row ? { ...r, notes: e.currentTarget.value } : r)))}
                />
              </div>
              {!readOnly && (
                <div className={offered.actions}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={`Move ${called(row)} up`}
                    disabled={i === 0}
                    onClick={() => move(i, i - 1)}
                  >
                    <IconArrowUp size={18} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={`Move ${called(row)} down`}
                    disabled={i === rows.length - 1}
                    onClick={() => move(i, i + 1)}
                  >
                    <IconArrowDown size={18} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    size={36}
                    aria-label={`Delete ${called(row)}`}
                    onClick={() => void remove(row)}
                  >
                    <IconTrash size={18} aria-hidden />
                  </ActionIcon>
                </div>
              )}
            </li>
          ))}
        </ol>
      )}
      {dialog}
      <AddDocumentDialog
        opened={adding === 'document'}
        kind={kind}
        of={of}
        own={toText(read('documentNumber'))}
        chosen={rows.flatMap(({ target }) => target?.documentNumber ?? [])}
        onAdd={(target) => add({ target, file: null })}
        onClose={close}
      />
      <AddFileDialog
        opened={adding === 'file'}
        of={clientIdOf({ client: read('client') })}
        chosen={rows.flatMap(({ file }) => file?.id ?? [])}
        onAdd={(file) => add({ target: null, file })}
        onClose={close}
      />
    </fieldset>
  )
}

interface AddFileDialogProps {
  readonly opened: boolean
  /** Client ID of the document, if known. */
  readonly of: number | undefined
  readonly chosen: readonly number[]
  readonly onAdd: (file: ReferredFile) => void
  readonly onClose: () => void
}

/**
 * Dialog to choose the uploaded files to which a document refers. Lists the files of the document's company and of the
 * provider.
 */
function AddFileDialog({ opened, of, chosen, onAdd, onClose }: AddFileDialogProps) {
  const { clientId } = useActor()
  // Only provider users can edit another company's documents.
  const whose = clientId === PROVIDER_CLIENT_ID ? (of ?? PROVIDER_CLIENT_ID) : clientId
  return (
    <RecordChooserDialog
      opened={opened}
      onClose={onClose}
      title="Add file"
      r={uploadedDocument}
      params={{ retired: false, replaced: false, client: [whose, PROVIDER_CLIENT_ID] }}
      label="Uploaded Files"
      draw={(row) => {
        const file = row as unknown as ReferredFile
        return (
          <>
            <div className={offered.what}>
              <strong>{file.label || file.name}</strong>
              <span>
                {file.label ? `${file.name}, ` : ''}
                <DateTimeText at={file.createdAt ?? ''} day />
              </span>
            </div>
            <div className={offered.actions}>
              <ChooserAddButton name={file.name} added={chosen.includes(file.id)} onAdd={() => onAdd(file)} />
            </div>
          </>
        )
      }}
    />
  )
}
