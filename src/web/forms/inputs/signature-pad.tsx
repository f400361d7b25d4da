import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { type PointerEvent, useId, useRef } from 'react'
import type { SignaturePoint, SignatureStroke, SignatureValue } from '#kernel/signature.ts'
import css from './signature-pad.module.css'

export const EMPTY_SIGNATURE: SignatureValue = { name: '', method: 'finger', strokes: [], width: 0, height: 0 }

interface Props {
  readonly value: SignatureValue
  readonly onChange: (value: SignatureValue) => void
  /** Purpose of the signature: `Sign quote Q-12`. */
  readonly label: string
  /** Error messages from `signatureProblems`, by field. */
  readonly errors?: { readonly name?: string | undefined; readonly strokes?: string | undefined }
  readonly readOnly?: boolean
  /** Whether the name is known. A known name is shown and can't be edited. */
  readonly known?: boolean | undefined
  /** Whether the signature must be drawn: a typed name is not enough. */
  readonly drawn?: boolean | undefined
}

/**
 * Inputs for a full name and for a signature drawn with a finger, pen or mouse. For people without a pointer, the typed
 * name is the signature.
 */
export function SignaturePad({
  value,
  onChange,
  label,
  errors = {},
  readOnly = false,
  known = false,
  drawn = false,
}: Props) {
  const typed = value.method === 'typed'
  const id = useId()
  return (
    <fieldset className={css.root} disabled={readOnly}>
      <legend className={css.legend}>{label}</legend>
      {!known && (
        <TextInput
          label="Full name (Required)"
          autoComplete="off"
          value={value.name}
          error={errors.name}
          onChange={(e) => onChange({ ...value, name: e.currentTarget.value })}
        />
      )}
      {!drawn && (
        <SegmentedControl
          className={css.choice ?? ''}
          fullWidth
          aria-label="Signing method"
          value={value.method}
          onChange={(method) => onChange({ ...value, method: method as SignatureValue['method'] })}
          data={[
            { value: 'finger', label: 'Draw' },
            { value: 'typed', label: 'Type' },
          ]}
        />
      )}
      {typed ? (
        <div className={css.field}>
          <output className={css.typed} aria-label="Your signature as typed">
            {value.name || ' '}
          </output>
          <Text size="sm" c="dimmed" className={css.hint ?? ''}>
            {known ? 'Your name is your signature.' : 'Your name as typed above is your signature.'}
          </Text>
        </div>
      ) : (
        <>
          <Drawing value={value} onChange={onChange} describedBy={id} />
          <Group justify="space-between" id={id}>
            <Text size="sm" c={errors.strokes ? 'var(--mantine-color-error)' : 'dimmed'}>
              {errors.strokes ??
                (drawn ? 'Sign in the box.' : 'Sign in the box. To sign with the keyboard, choose “Type”.')}
            </Text>
            <Button
              variant="default"
              leftSection={<IconEraser size={16} aria-hidden />}
              disabled={value.strokes.length === 0}
              onClick={() => onChange({ ...value, strokes: [] })}
            >
              Clear
            </Button>
          </Group>
        </>
      )}
    </fieldset>
  )
}

/** Drawn signature, read-only. */
export const SignatureDrawing = ({ of }: { readonly of: Pick<SignatureValue, 'name' | 'strokes'> }) => (
  <svg
    className={css.shown}
    viewBox="0 0 1 1"
    preserveAspectRatio="none"
    role="img"
    aria-label={`Signature of ${of.name}`}
  >
    {of.strokes.map((s, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: nothing of it changes
      <polyline key={i} className={css.ink} points={pointsOf(s)} />
    ))}
  </svg>
)

interface DrawingProps extends Pick<Props, 'value' | 'onChange'> {
  readonly describedBy: string
}

function Drawing({ value, onChange, describedBy }: DrawingProps) {
  /**
   * Current stroke, and the pointer that draws it. Other pointers, such as a hand resting on the pad, neither draw nor
   * end a stroke.
   */
  const pen = useRef<{ readonly by: number; readonly stroke: SignaturePoint[] }>(undefined)
  const line = useRef<SVGPolylineElement>(null)
  const at = (e: PointerEvent<SVGSVGElement>): SignaturePoint => {
    const box = e.currentTarget.getBoundingClientRect()
    return [part((e.clientX - box.left) / box.width), part((e.clientY - box.top) / box.height)]
  }
  // While the pen is down, only the current stroke is redrawn. The value changes when the pen is lifted.
  const draw = () => line.current?.setAttribute('points', pointsOf(pen.current?.stroke ?? []))
  const lift = (e: PointerEvent<SVGSVGElement>) => {
    if (pen.current?.by !== e.pointerId) return
    const { stroke } = pen.current
    pen.current = undefined
    draw()
    const box = e.currentTarget.getBoundingClientRect()
    onChange({
      ...value,
      strokes: [...value.strokes, stroke],
      width: Math.round(box.width),
      height: Math.round(box.height),
    })
  }
  return (
    <svg
      className={css.pad}
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={value.strokes.length ? 'Your signature as drawn' : 'Signature box, empty'}
      aria-describedby={describedBy}
      onPointerDown={(e) => {
        if (e.button !== 0 || pen.current) return
        e.currentTarget.setPointerCapture(e.pointerId)
        // The first point is stored twice, because a line with a single point is invisible and the dot of an i would be
        // missing.
        pen.current = { by: e.pointerId, stroke: [at(e), at(e)] }
      }}
      onPointerMove={(e) => {
        if (pen.current?.by !== e.pointerId) return
        pen.current.stroke.push(at(e))
        draw()
      }}
      onPointerUp={lift}
      onPointerCancel={lift}
    >
      <line className={css.rule} x1="0.06" x2="0.94" y1="0.78" y2="0.78" />
      {value.strokes.map((s, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: strokes are only ever added at the end, or all taken away
        <polyline key={i} className={css.ink} points={pointsOf(s)} />
      ))}
      <polyline ref={line} className={css.ink} />
    </svg>
  )
}

/** Rounds a coordinate to four decimal places of the pad's size, which is finer than any screen. */
const part = (n: number) => Math.round(Math.min(1, Math.max(0, n)) * 10_000) / 10_000
const pointsOf = (s: SignatureStroke) => s.map((p) => p.join(',')).join(' ')
