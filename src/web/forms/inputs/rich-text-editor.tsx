import { Input } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import '@mantine/core/styles/Typography.layer.css'
import '@mantine/tiptap/styles.layer.css'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useId, useMemo, useRef } from 'react'
import { cleanPastedHtml } from './parse-html.ts'
import css from './rich-text-editor.module.css'

export interface RichTextProps {
  readonly label: string
  /** HTML with the elements p br strong em u s ul ol li blockquote hr; '' if there is no text. */
  readonly value: string
  readonly onChange: (html: string) => void
  readonly required?: boolean
  readonly readOnly?: boolean
  readonly error?: ReactNode
  readonly onBlur?: () => void
}

/** Delay in milliseconds after a keystroke until the editor's full text is read. */
const SETTLED_MS = 150
const KIT = StarterKit.configure({ heading: false, code: false, codeBlock: false, link: false })
const nonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content

/**
 * Rich text editor without headings, alignment, code, tables, links or pictures. These are removed from pasted text.
 */
export function RichTextEditor({ label, value, onChange, required, readOnly = false, error, onBlur }: RichTextProps) {
  const id = useId()
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wrong = !!error
  const editorProps = useMemo(
    () => ({
      transformPastedHTML: cleanPastedHtml,
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-label`,
        ...(required ? { 'aria-required': 'true' } : {}),
        ...(readOnly ? { 'aria-readonly': 'true', tabindex: '0' } : {}),
        ...(wrong ? { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` } : {}),
      },
    }),
    [id, required, readOnly, wrong],
  )
  const editor = useEditor({
    extensions: [KIT],
    content: value,
    editable: !readOnly,
    ...(nonce() ? { injectNonce: nonce() } : {}),
    editorProps,
  })
  const read = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (!editor || editor.isDestroyed) return
    const html = editor.isEmpty ? '' : editor.getHTML()
    if (html === sent.current) return
    sent.current = html
    onChange(html)
  })
  const later = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => read(), SETTLED_MS)
  })
  const left = useEffectEvent(() => onBlur?.())
  useEffect(() => {
    if (!editor) return
    const blurred = () => {
      read()
      left()
    }
    editor.on('update', later)
    editor.on('blur', blurred)
    return () => {
      read()
      editor.off('update', later)
      editor.off('blur', blurred)
    }
  }, [editor])
  useEffect(() => editor?.setEditable(!readOnly, false), [editor, readOnly])
  useEffect(() => {
    if (!editor || value === sent.current) return
    sent.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  return (
    <div>
      <Input.Label component="div" id={`${id}-label`} onClick={() => editor?.commands.focus()}>
        {label}
      </Input.Label>
      <Frame
        // The cast is needed because TypeScript resolves this class twice, once for `import` and once for `require`.
        editor={editor as unknown as ComponentProps<typeof Frame>['editor']}
        withCodeHighlightStyles={false}
        classNames={{ root: css.root ?? '', content: css.content ?? '' }}
        data-error={error ? true : undefined}
        data-readonly={readOnly || undefined}
      >
        {!readOnly && (
          <Frame.Toolbar>
            <Frame.ControlsGroup>
              <Frame.Bold />
              <Frame.Italic />
              <Frame.Underline />
              <Frame.Strikethrough />
            </Frame.ControlsGroup>
            <Frame.ControlsGroup>
              <Frame.BulletList />
              <Frame.OrderedList />
              <Frame.Blockquote />
              <Frame.Hr />
            </Frame.ControlsGroup>
            <Frame.ControlsGroup>
              <Frame.ClearFormatting />
              <Frame.Undo />
              <Frame.Redo />
            </Frame.ControlsGroup>
          </Frame.Toolbar>
        )}
        <Frame.Content />
      </Frame>
      {error && (
        <Input.Error id={`${id}-error`} mt={5}>
          {error}
        </Input.Error>
      )}
    </div>
  )
}
