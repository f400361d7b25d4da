import { VisuallyHidden } from '@mantine/core'
import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react'
import { StatusChip } from '#web/ui/status-chip.tsx'
import css from './compare.module.css'
import type { RevisionDifference, RowDifference, TextDiffPiece, ValueDifference } from './differences.ts'

interface Props {
  /** Headings of the two sides, such as `Revision 1`. */
  readonly sides: readonly [string, string]
  readonly found: readonly RevisionDifference[]
}

/** Differences between two revisions: removed text on the left, added text on the right. */
export const RevisionChanges = ({ sides, found }: Props) => (
  <div className={css.all}>
    <ComparisonHeadings sides={sides} />
    {found.map((d) => (
      <section key={d.name} className={css.field}>
        <h3>{d.label}</h3>
        <FieldChange difference={d} />
      </section>
    ))}
  </div>
)

export const ComparisonHeadings = ({ sides }: Pick<Props, 'sides'>) => (
  <div className={css.heads}>
    {sides.map((side) => (
      <strong key={side}>{side}</strong>
    ))}
  </div>
)

/** Difference in one field, without the field's label. */
export function FieldChange({ difference: d }: { readonly difference: RevisionDifference }) {
  return (
    <>
      {'rows' in d ? (
        d.rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name
          <Row key={i} row={row} />
        ))
      ) : (
        <Sides pieces={d.pieces} />
      )}
    </>
  )
}

const CHANGES = {
  added: { meaning: 'safe', word: 'Added', icon: IconPlus },
  removed: { meaning: 'stop', word: 'Removed', icon: IconMinus },
  changed: { meaning: 'attention', word: 'Changed', icon: IconPencil },
} as const

function Row({ row }: { readonly row: RowDifference }) {
  const { meaning, word, icon } = CHANGES[row.change]
  return (
    <div className={css.row}>
      <div className={css.rowHead}>
        <StatusChip meaning={meaning} icon={icon}>
          {word}
        </StatusChip>
        <strong>{row.title}</strong>
      </div>
      {row.change === 'changed' && row.values.map((v) => <Value key={v.name} value={v} />)}
    </div>
  )
}

const Value = ({ value }: { readonly value: ValueDifference }) => (
  <div className={css.value}>
    <span className={css.label}>{value.label}</span>
    <Sides pieces={value.pieces} />
  </div>
)

const Sides = ({ pieces }: { readonly pieces: readonly TextDiffPiece[] }) => (
  <div className={css.sides}>
    <Side pieces={pieces} without="added" />
    <Side pieces={pieces} without="removed" />
  </div>
)

function Side({
  pieces,
  without,
}: {
  readonly pieces: readonly TextDiffPiece[]
  readonly without: 'added' | 'removed'
}) {
  const shown = pieces.filter((p) => p.mark !== without)
  return (
    <p className={css.side}>
      {shown.length === 0 && <span className={css.nothing}>Empty</span>}
      {shown.map((p, i) => {
        const key = `${i}`
        if (p.mark === 'added')
          return (
            <ins key={key}>
              <VisuallyHidden>added: </VisuallyHidden>
              {p.text}
            </ins>
          )
        if (p.mark === 'removed')
          return (
            <del key={key}>
              <VisuallyHidden>removed: </VisuallyHidden>
              {p.text}
            </del>
          )
        return <span key={key}>{p.text}</span>
      })}
    </p>
  )
}
