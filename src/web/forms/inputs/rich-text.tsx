import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { RichTextProps } from './rich-text-editor.tsx'

const Editor = lazy(() => import('./rich-text-editor.tsx').then((m) => ({ default: m.RichTextEditor })))

/** Formatted text: its value is HTML of the small allowed set. The editor is loaded when it is first needed. */
export const RichText = (props: RichTextProps) => (
  <Suspense fallback={<Skeleton height={190} />}>
    <Editor {...props} />
  </Suspense>
)
