import { Box } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import {
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { FormSchema, FormStep } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { RecordWithEtag } from '#web/forms/schema/autosave.ts'
import { ConflictDialog } from '#web/forms/schema/conflict-dialog.tsx'
import type { SchemaFieldProps } from '#web/forms/schema/parts.ts'
import { recordEndpoint } from '#web/forms/schema/record.ts'
import { RestoredDraftNotice } from '#web/forms/schema/restored-draft.tsx'
import { useAutosave } from '#web/forms/schema/saved-state.tsx'
import { SchemaForm } from '#web/forms/schema/schema-form.tsx'
import { useFormStep } from '#web/forms/schema/step-map.tsx'
import type { FormStore } from '#web/forms/schema/store.ts'
import { useFormStore } from '#web/forms/schema/store.ts'
import { elementIdOf, formatPath } from '#web/forms/store/path.ts'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import { usePageTitle } from '#web/shell/pages/title.ts'
import { CopyConfirmation } from '#web/ui/copy-confirmation.tsx'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { isBehindDialog } from '#web/ui/overlays/layers.ts'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { DraftFormNotices } from '../forms/form-notices.web.tsx'
import type { RecordForm } from '../forms/record-form.ts'
import { adaptSavingToForm } from '../forms/save-with-form.web.ts'
import { DocumentSheet } from '../printing/paper.web.tsx'
import { completionRuleFor } from '../types/completing.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { formatCopiedAnswerPrompt, parseFieldNames } from '../types/origin.ts'
import { type DocumentRecord, documentTitleOrUntitled, useRefetchDocument } from '../types/record.web.ts'
import css from './editor.module.css'
import { DraftEditorHeader } from './editor-head.web.tsx'
import { PreviousRejection } from './previous-rejection.web.tsx'
import { assignRowIris, type KeyedRow } from './saved-rows.ts'

const MAC = /Mac|iP(hone|ad)/

/** Handles keyboard shortcuts: Ctrl+S saves now, and Alt with the arrow keys moves between steps. */
function useEditorKeys(store: FormStore, save: () => unknown) {
  const { steps, step, go } = useFormStep(store, 'address', useId())
  const move = (by: 1 | -1) => {
    const next = steps[steps.findIndex((s) => s.name === step?.name) + by]
    if (!next) return
    go(next.name)
    // Gives the step time to render.
    setTimeout(() => document.querySelector<HTMLElement>('section[aria-labelledby$="-step"] h2')?.focus(), 60)
  }
  useShortcuts([
    { keys: 'mod+s', label: 'Save now', run: () => save(), always: true },
    { keys: 'Alt ArrowRight', label: 'Next step', run: () => move(1) },
    { keys: 'Alt ArrowLeft', label: 'Previous step', run: () => move(-1) },
  ])
  const onKey = useEffectEvent((e: KeyboardEvent) => {
    if (!e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return
    if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return
    // Ignores Option with the arrow keys in text fields on a Mac, where it moves the cursor by word.
    const typing = e.target instanceof HTMLElement && e.target.closest('input, textarea, [contenteditable=true]')
    if ((typing && MAC.test(navigator.userAgent)) || isBehindDialog()) return
    e.preventDefault()
    move(e.key === 'ArrowRight' ? 1 : -1)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Asks the user to confirm a copied answer, until the answer is confirmed or changed. */
function ConfirmCopiedAnswer({ parts, field, path }: SchemaFieldProps) {
  const { store } = parts
  const names = parseFieldNames(useValueAt(store, ['unconfirmed']))
  if (!names.includes(field.name)) return null
  return (
    <Box mt={6} data-confirm>
      <CopyConfirmation
        name={field.label}
        question={formatCopiedAnswerPrompt(store.values())}
        onConfirm={(pressed) => {
          focusAfter(pressed, elementIdOf(parts, formatPath(path)))
          store.set(
            ['unconfirmed'],
            names.filter((name) => name !== field.name),
          )
        }}
      />
    </Box>
  )
}

/**
 * Focuses the next confirmation button, or else the field itself, so that pressing Enter repeatedly confirms a whole
 * step.
 */
function focusAfter(pressed: HTMLElement, field: string): void {
  const asked = [...document.querySelectorAll<HTMLElement>('[data-confirm] button')]
  const next = asked[asked.indexOf(pressed) + 1]
  const to = next ?? document.getElementById(field)?.querySelector<HTMLElement>('input, textarea, [contenteditable]')
  to?.scrollIntoView({ block: 'nearest' })
  to?.focus()
}

/**
 * Returns functions that load and save a record with its rows. Saving assigns each new row its IRI, so that the next
 * save updates the row instead of creating another.
 */
function recordWithSavedRows(store: FormStore, iri: string, rows: readonly string[]) {
  const { load, save } = recordEndpoint(iri)
  return {
    load,
    save: async (changes: Values, etag: string | null): Promise<RecordWithEtag> => {
      const answer = await save(changes, etag)
      for (const name of rows.filter((n) => n in changes)) {
        const sent = (changes[name] as KeyedRow[] | null) ?? []
        const kept = ((answer.record[name] as KeyedRow[] | undefined) ?? []).filter((row) => row.retired !== true)
        const now = (store.get([name]) as KeyedRow[] | null) ?? []
        const next = assignRowIris(now, sent, kept)
        if (next !== now) store.replace({ [name]: next })
      }
      return answer
    },
  }
}

interface Props {
  readonly parts: DocumentTypeComponents
  readonly opened: { readonly record: DocumentRecord; readonly etag: string | null }
  /** The record's form, also included in `parts`. */
  readonly form: RecordForm
  readonly usual: FormSchema
  readonly reopen: () => Promise<unknown>
  /** URL of the list, including its filters. */
  readonly back: string
}

const UploadsField = lazyComponent(() => import('./uploads-field.web.tsx'))
const NameInput = lazyComponent(() => import('../named-employees/name-input.web.tsx'))
const UNCONFIRMED = ['unconfirmed'] as const
const WIDE = '(min-width: 80em)'

/** Draft editor: steps on the left, fields in the middle, preview on the right. */
export function DraftEditorForm({ parts, opened, form, usual, reopen, back }: Props) {
  const { kind, inputs } = parts
  const { record } = opened
  const navigate = useNavigate()
  const store = useFormStore(kind.schema, record, (values) => completionRuleFor(kind, values))
  const autosave = useAutosave({
    store,
    key: `${kind.path}/${record.id}`,
    opened,
    shrinking: UNCONFIRMED,
    ...adaptSavingToForm(kind.schema, form.settings, recordWithSavedRows(store, record['@id'], kind.rows)),
  })
  useEffect(() => void autosave.reread(opened), [autosave, opened])
  const refresh = useRefetchDocument(kind)
  const [busy, setBusy] = useState(false)
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const [search] = useSearchParams()
  const step = kind.schema.steps.find((s) => s.name === search.get('step')) ?? kind.schema.steps[0]
  const hasTable = useCallback((s: FormStep) => holdsTable(kind, s), [kind])
  const [shown, show] = usePreviewVisibility()
  usePageTitle(`${record.documentNumber} ${documentTitleOrUntitled(kind, record)}`)

  const save = useCallback(async () => {
    if (await autosave.flush()) toast.saved(record.documentNumber)
  }, [autosave, record.documentNumber])
  useEditorKeys(store, save)

  const check = async () => {
    setBusy(true)
    if (await autosave.flush()) await navigate(`${kind.screens.update}/${record.id}/check`)
    setBusy(false)
  }

  return (
    <div className={css.page}>
      <DraftEditorHeader
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
        You are offline. Your changes are stored on this device and saved when the connection is back.
      </OfflineNotice>
      <PreviousRejection kind={kind} record={record} />
      <RestoredDraftNotice autosave={autosave} />
      <DraftFormNotices record={record} form={form} autosave={autosave} reopen={reopen} />
      <ConflictDialog autosave={autosave} schema={kind.schema} />
      <div
        className={css.halves}
        data-preview={(wide && shown) || undefined}
        data-table={(step && hasTable(step)) || undefined}
      >
        <div className={css.form}>
          <Suspense fallback={<LoadingRows rows={6} />}>
            <SchemaForm
              store={store}
              custom={inputs}
              uploads={UploadsField}
              person={NameInput}
              note={ConfirmCopiedAnswer}
              isWide={hasTable}
            />
          </Suspense>
        </div>
        {wide && shown && <DraftPreview parts={parts} usual={usual} record={record} store={store} />}
      </div>
    </div>
  )
}

/** Returns whether the step has a table of rows, which needs the full width. */
const holdsTable = ({ rows }: DocumentKind, step: FormStep): boolean =>
  step.groups.some((g) => g.fields.some((f) => f.kind === 'custom' && rows.includes(f.name)))

/**
 * Returns whether the preview is shown beside the form, and a function that changes this. The setting is stored in the
 * browser.
 */
const usePreviewVisibility = () => {
  const [shown, show] = useLocalStorage({
    key: 'stanchion-document-preview',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return [shown, show] as const
}

interface usePreviewVisibilityProps {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  readonly store: FormStore
  readonly usual: FormSchema
}

/** Preview of the printed document. Updates are deferred while the user types. */
function DraftPreview({ parts, record, store, usual }: usePreviewVisibilityProps) {
  const values = useDeferredValue(useSyncExternalStore(store.onDerived, store.values))
  const whole = useMemo(() => ({ ...record, ...values }), [record, values])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
    <aside className={css.preview} aria-label="Print preview" tabIndex={0}>
      <SimultaneousReveal waiting={<LoadingRows rows={10} />}>
        <DocumentSheet parts={parts} record={whole} usual={usual} />
      </SimultaneousReveal>
    </aside>
  )
}
