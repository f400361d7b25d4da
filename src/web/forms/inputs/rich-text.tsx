import { Input } from '@mantine/core'
import { Suspense } from 'react'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import css from './rich-text.module.css'
import type { RichTextProps } from './rich-text-editor.tsx'
import { RichTextView } from './rich-text-view.tsx'

const Editor = lazyComponent(async () => ({ default: (await import('./rich-text-editor.tsx')).RichTextEditor }))

/**
 * Field for formatted text. The value is HTML with a small set of allowed elements. The editor is loaded on first
 * render.
 */
export const RichText = (props: RichTextProps) => (
  <Suspense fallback={<Coming {...props} />}>
    <Editor {...props} />
  </Suspense>
)

/** Number of buttons in each group of the editor's toolbar. */
const TOOLBAR = [4, 4, 3]

/** Placeholder while the editor loads. It shows the text as the editor will show it, in a frame of the same size. */
const Coming = ({ label, value, readOnly }: RichTextProps) => (
  <div aria-busy="true">
    <Input.Label component="div">{label}</Input.Label>
    <div className={css.frame}>
      {!readOnly && (
        <div className={css.toolbar}>
          {TOOLBAR.map((buttons, group) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <div key={group} style={{ flexBasis: `calc(${buttons} * var(--button))` }} />
          ))}
        </div>
      )}
      <div className={css.text}>
        <RichTextView html={value} />
      </div>
    </div>
  </div>
)
