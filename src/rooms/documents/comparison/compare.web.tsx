import { Button, VisuallyHidden } from '@mantine/core'
import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import type { KindParts } from '../kinds/kind.web.ts'
import { type DocumentRecord, useRecord } from '../kinds/record.web.ts'
import css from './compare.module.css'
import { type Difference, differences, type Piece, type RowDifference, type ValueDifference } from './differences.ts'

interface Props {
  readonly parts: KindParts
  readonly before: DocumentRecord
  readonly after: DocumentRecord
  readonly onClose: () => void
}

/** Two revisions side by side: only what is not the same, with the words that went on the left and those that came on the right. */
export default function Compare({ parts, before, after, onClose }: Props) {
  const { kind, compare } = parts
  const old = useRecord(kind, String(before.id))
  const now = useRecord(kind, String(after.id))
  const found = useMemo(
    () => old.record && now.record && differences(kind, old.record, now.record, compare),
    [kind, compare, old.record, now.record],
  )
  const error = old.error ?? now.error
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${after.documentNumber}: revision ${before.revision} and revision ${after.revision}`}
    >
      {error ? (
        <ErrorState
          error={error}
          onRetry={() => {
            void old.refetch()
            void now.refetch()
          }}
        />
      ) : !found ? (
        <LoadingRows rows={6} />
      ) : found.length === 0 ? (
        <EmptyState title="Nothing has changed">Both revisions say the same.</EmptyState>
      ) : (
        <div className={css.all}>
          <div className={css.heads}>
            <strong>{`Revision ${before.revision}`}</strong>
            <strong>{`Revision ${after.revision}`}</strong>
          </div>
          {found.map((d) => (
            <Field key={d.name} difference={d} />
          ))}
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function Field({ difference: d }: { readonly difference: Difference }) {
  return (
    <section className={css.field}>
      <h3>{d.label}</h3>
      {'rows' in d ? (
        d.rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name
          <Row key={i} row={row} />
        ))
      ) : (
        <Sides pieces={d.pieces} />
      )}
    </section>
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

const Sides = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <div className={css.sides}>
    <Side pieces={pieces} without="added" />
    <Side pieces={pieces} without="removed" />
  </div>
)

function Side({ pieces, without }: { readonly pieces: readonly Piece[]; readonly without: 'added' | 'removed' }) {
  const shown = pieces.filter((p) => p.mark !== without)
  return (
    <p className={css.side}>
      {shown.length === 0 && <span className={css.nothing}>Nothing</span>}
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
