import { type CSSProperties, memo, useCallback } from 'react'
import { HelpButton } from '../../ui/help.tsx'
import { elementIdOf, formatPath } from '../store/path.ts'
import { useProblemAt, useValueAt } from '../store/use-value-store.ts'
import { SchemaFieldInput } from './kind-input.tsx'
import type { SchemaFieldProps } from './parts.ts'
import css from './schema-form.module.css'

/** Single field with its label, help and error. Typing in the field re-renders nothing else. */
export const SchemaField = memo(function SchemaField({ parts, field, path }: SchemaFieldProps) {
  const { store } = parts
  const here = formatPath(path)
  const body =
    field.kind === 'rows' && !parts.custom[field.name] ? (
      <parts.Rows parts={parts} field={field} path={path} />
    ) : (
      <Valued {...{ parts, field, path }} />
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus has left
    <div
      id={elementIdOf(parts, here)}
      className={css.field}
      style={{ '--columns': field.width ?? 12 } as CSSProperties}
      onBlur={(e) => {
        if (!e.currentTarget.contains(e.relatedTarget)) store.leave(here)
      }}
    >
      {body}
      {parts.Note && path.length === 1 && !parts.readOnly && <parts.Note {...{ parts, field, path }} />}
      {field.help && (
        <span className={css.help}>
          <HelpButton name={field.label}>{field.help}</HelpButton>
        </span>
      )}
    </div>
  )
}, sameField)

function sameField(a: SchemaFieldProps, b: SchemaFieldProps): boolean {
  return a.parts === b.parts && a.field === b.field && formatPath(a.path) === formatPath(b.path)
}

function Valued({ parts, field, path }: SchemaFieldProps) {
  const { store, readOnly, custom, uploads, person } = parts
  const value = useValueAt(store, path)
  const error = useProblemAt(store, path)
  const onChange = useCallback((next: unknown) => store.set(path, next), [store, path])
  const read = useCallback((name: string) => store.get([name]), [store])
  const set = useCallback(
    (name: string, next: unknown) => {
      const [first, ...rest] = path
      store.set(rest.length ? [first, ...rest.slice(0, -1), name] : [name], next)
    },
    [store, path],
  )
  const Own = custom[field.name] ?? (field.kind === 'uploads' ? uploads : field.kind === 'person' ? person : undefined)
  const at = formatPath(path)
  if (Own) return <Own {...{ field, value, onChange, readOnly, error, read, set, at }} id={elementIdOf(parts, at)} />
  return <SchemaFieldInput {...{ store, field, value, onChange, readOnly, error, path, person }} />
}
