import { useLocalStorage } from '@mantine/hooks'
import { useDeferredValue, useMemo, useSyncExternalStore } from 'react'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { FormStore } from '#web/forms/schema/store.ts'
import { SimultaneousReveal } from '#web/ui/reveal-together.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { DocumentSheet } from '../printing/paper.web.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import css from './editor.module.css'

/**
 * Returns whether the preview is shown beside the form, and a function that changes this. The setting is stored in the
 * browser.
 */
export const usePreviewVisibility = () => {
  const [shown, show] = useLocalStorage({
    key: 'stanchion-document-preview',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return [shown, show] as const
}

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  readonly store: FormStore
  readonly usual: FormSchema
}

/** Preview of the printed document. Updates are deferred while the user types. */
export function DraftPreview({ parts, record, store, usual }: Props) {
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
