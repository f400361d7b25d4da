import type { SignatureStroke } from '#kernel/signature.ts'
import css from './drawn.module.css'

interface Ink {
  readonly strokes: readonly SignatureStroke[]
  readonly width?: number
  readonly height?: number
}

/** Stored signature: the drawing or, if there is no drawing, the typed name. */
export function StoredSignature({ strokes, name }: { readonly strokes: unknown; readonly name: string }) {
  const ink = strokes as Ink | null
  if (!ink?.strokes?.length) return <span className={css.typed}>{name}</span>
  const [width, height] = [ink.width || 300, ink.height || 100]
  return (
    <svg className={css.drawn} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Signature of ${name}`}>
      {ink.strokes.map((stroke, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a signature never changes
        <polyline key={i} points={stroke.map(([x, y]) => `${x * width},${y * height}`).join(' ')} />
      ))}
    </svg>
  )
}
