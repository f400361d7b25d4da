import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import css from './analysis.module.css'
import { type AnalysisGroup, pathOfRows } from './analysis.ts'
import { BODY_SHAPES, type DrawnPart, LEFT_PARTS, RIGHT_PARTS } from './body-parts.ts'

/** Height of a label with the gap below it, and width of the drawing, in pixels. */
const [LABEL_HEIGHT, DRAWING_WIDTH] = [48, 136]
const DRAWING_HEIGHT = LABEL_HEIGHT * LEFT_PARTS.length
const [OFFSET_X, OFFSET_Y, SCALE] = [8, 12, 1]

const DRAWN_IDS = new Set([...LEFT_PARTS, ...RIGHT_PARTS].map(({ id }) => id))

interface Props {
  readonly parts: readonly AnalysisGroup[]
  /** Text for a part without a number: 0, or a mark if small numbers are not shown. */
  readonly blank: string
}

/**
 * Drawing of a person with a labelled button for each part of the body. The buttons open the incidents that they count.
 */
export function BodyMap({ parts, blank }: Props) {
  const counted = new Map(parts.map((part) => [part.key, part]))
  const most = Math.max(1, ...parts.map(({ count }) => count))
  const shadeOf = (id: string) => ((counted.get(id)?.count ?? 0) / most) * MAX_SHADE
  const label = ({ id, name }: DrawnPart) => <PartButton key={id} name={name} part={counted.get(id)} blank={blank} />
  const others = parts.filter(({ key }) => !DRAWN_IDS.has(key))
  return (
    <div className={css.body}>
      <div className={css.map}>
        <div className={css.labels}>{LEFT_PARTS.map(label)}</div>
        <svg width={DRAWING_WIDTH} height={DRAWING_HEIGHT} aria-hidden className={css.figure}>
          <g transform={`translate(${OFFSET_X} ${OFFSET_Y}) scale(${SCALE} ${VERTICAL_SCALE})`}>
            {BODY_SHAPES.map(({ id, shapes }) =>
              shapes.map((shape) => {
                const shade = { style: { fillOpacity: shadeOf(id) } }
                const key = JSON.stringify(shape)
                return 'd' in shape ? (
                  <g key={key}>
                    <path d={shape.d} className={css.ground} />
                    <path d={shape.d} className={css.shade} {...shade} />
                  </g>
                ) : (
                  <g key={key}>
                    <ellipse {...shape} className={css.ground} />
                    <ellipse {...shape} className={css.shade} {...shade} />
                  </g>
                )
              }),
            )}
          </g>
          {LEFT_PARTS.map((part, n) => (
            <Leader key={part.id} part={part} from={0} place={n} />
          ))}
          {RIGHT_PARTS.map((part, n) => (
            <Leader key={part.id} part={part} from={DRAWING_WIDTH} place={n} />
          ))}
        </svg>
        <div className={css.labels}>{RIGHT_PARTS.map(label)}</div>
      </div>
      {others.length > 0 && (
        <div className={css.general}>
          {others.map((part) => (
            <PartButton key={part.key} name={part.label} part={part} blank={blank} />
          ))}
        </div>
      )}
    </div>
  )
}

/** Opacity of the part with the most incidents. */
const MAX_SHADE = 0.85
/** Stretches the figure to the height of the labels. */
const VERTICAL_SCALE = 1.26

interface LeaderProps {
  readonly part: DrawnPart
  /** Side of the drawing at which the line begins. */
  readonly from: number
  readonly place: number
}

/** Line from a label to its part. */
const Leader = ({ part: { at }, from, place }: LeaderProps) => {
  const [x, y] = [OFFSET_X + at[0] * SCALE, OFFSET_Y + at[1] * VERTICAL_SCALE]
  return (
    <>
      <line x1={from} y1={LABEL_HEIGHT * (place + 0.5)} x2={x} y2={y} className={css.leader} />
      <circle cx={x} cy={y} r={2} className={css.point} />
    </>
  )
}

interface PartButtonProps {
  readonly name: string
  readonly part: AnalysisGroup | undefined
  readonly blank: string
}

function PartButton({ name, part, blank }: PartButtonProps) {
  const number = part ? formatInteger(part.count) : blank
  if (!part?.rows || !part.count)
    return (
      <span className={`${css.part} ${css.blank}`}>
        {name} <b>{number}</b>
      </span>
    )
  return (
    <Button component={Link} to={pathOfRows(part.rows)} variant="default" className={css.part ?? ''}>
      {name} <b>{number}</b>
    </Button>
  )
}
