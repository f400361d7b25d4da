import { useMediaQuery } from '@mantine/hooks'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { FormSchema, FormStep } from '#kernel/forms/schema.ts'
import { ConflictDialog } from '#web/forms/schema/conflict-dialog.tsx'
import { RestoredDraft } from '#web/forms/schema/restored-draft.tsx'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStore } from '#web/forms/schema/store.ts'
import { useAutosave } from '#web/forms/schema/use-autosave.ts'
import { useTitle } from '#web/shell/pages/title.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { FormNotices } from '../forms/form-notices.web.tsx'
import type { RecordForm } from '../forms/record-form.ts'
import { savedInForm } from '../forms/saved-in-form.web.ts'
import { judgedBy } from '../types/completing.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { KindParts } from '../types/kind.web.ts'
import { type DocumentRecord, titleOf, useRefresh } from '../types/record.web.ts'
import { ConfirmNote } from './confirm-note.web.tsx'
import css from './editor.module.css'
import { EditorHead } from './editor-head.web.tsx'
import { useEditorKeys } from './editor-keys.web.ts'
import { Preview, usePreviewShown } from './preview.web.tsx'
import { RejectedBefore } from './rejected-before.web.tsx'
import { savedRows } from './saved-rows.web.ts'

interface Props {
  readonly parts: KindParts
  readonly opened: { readonly record: DocumentRecord; readonly etag: string | null }
  /** The form that it is written by. `parts` have it too. */
  readonly form: RecordForm
  /** The form that the kind declares. */
  readonly usual: FormSchema
  /** Opens the draft anew, as it is stored. */
  readonly reopen: () => Promise<unknown>
  /** The list, as it was left. */
  readonly back: string
}

const UploadsField = lazily(() => import('./uploads-field.web.tsx'))
const UNCONFIRMED = ['unconfirmed'] as const
const WIDE = '(min-width: 80em)'

/** A draft in its form: steps on the left, the fields, and the paper that comes of them on the right. */
export function EditorForm({ parts, opened, form, usual, reopen, back }: Props) {
  const { kind, inputs } = parts
  const { record } = opened
  const navigate = useNavigate()
  const store = useFormStore(kind.schema, record, (values) => judgedBy(kind, values))
  const autosave = useAutosave({
    store,
    key: `${kind.path}/${record.id}`,
    opened,
    shrinking: UNCONFIRMED,
    ...savedInForm(kind.schema, form.settings, savedRows(store, record['@id'], kind.rows)),
  })
  useEffect(() => void autosave.reread(opened), [autosave, opened])
  const refresh = useRefresh(kind)
  const [busy, setBusy] = useState(false)
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [search] = useSearchParams()
  const step = kind.schema.steps.find((s) => s.name === search.get('step')) ?? kind.schema.steps[0]
  const hasTable = useCallback((s: FormStep) => holdsTable(kind, s), [kind])
  const [shown, show] = usePreviewShown()
  useTitle(`${record.documentNumber} ${titleOf(kind, record)}`)

  const save = useCallback(async () => {
    if (await autosave.flush()) toast.saved(record.documentNumber)
  }, [autosave, record.documentNumber])
  useEditorKeys(store, save)

  /** Everything is looked at once more, as it is stored, before it is sealed. */
  const check = async () => {
    setBusy(true)
    if (await autosave.flush()) await navigate(`${kind.screens.update}/${record.id}/check`)
    setBusy(false)
  }

  return (
    <div className={css.page}>
      <EditorHead
        parts={parts}
        record={record}
        store={store}
        autosave={autosave}
        busy={busy}
        onComplete={() => void check()}
        preview={wide ? { shown, show } : undefined}
        onLeave={async () => {
          await autosave.flush()
          void refresh()
          void navigate(back)
        }}
      />
      <OfflineNotice>
        You are offline. What you type is kept here, and is saved as soon as the connection is back.
      </OfflineNotice>
      <RejectedBefore kind={kind} record={record} />
      <RestoredDraft autosave={autosave} />
      <FormNotices record={record} form={form} autosave={autosave} reopen={reopen} />
      <ConflictDialog autosave={autosave} schema={kind.schema} />
      <div
        className={css.halves}
        data-preview={(wide && shown) || undefined}
        data-table={(step && hasTable(step)) || undefined}
      >
        <div className={css.form}>
          <Suspense fallback={<LoadingRows rows={6} />}>
            <SchemaForm store={store} custom={inputs} uploads={UploadsField} note={ConfirmNote} isWide={hasTable} />
          </Suspense>
        </div>
        {wide && shown && <Preview parts={parts} usual={usual} record={record} store={store} />}
      </div>
    </div>
  )
}

/** Does the step hold a table of rows? It takes all the width there is. */
const holdsTable = ({ rows }: DocumentKind, step: FormStep): boolean =>
  step.groups.some((g) => g.fields.some((f) => f.kind === 'custom' && rows.includes(f.name)))
