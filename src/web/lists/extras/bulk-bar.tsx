import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Progress.layer.css'
import { Anchor, Button, CloseButton, Menu, Progress } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type BulkAction, bulkActions, canRunBulkAction, canRunBulkActionOnSome } from '#kernel/bulk.ts'
import type { Resource } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import type { QueryParams } from '../../api/client.ts'
import { useActor } from '../../api/me.ts'
import { useConfirm } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useIsPhone } from '../../ui/is-phone.ts'
import { wasPageCovered } from '../../ui/overlays/layers.ts'
import { useScreenActions } from '../../ui/screen-actions.ts'
import { toast } from '../../ui/toast.ts'
import type { RowSelection } from '../choosing/use-selection.ts'
import css from './bulk-bar.module.css'
import { BulkInputDialog } from './bulk-input.tsx'
import { describeCurrentValues } from './current-values.ts'
import { requestJobStop } from './runs.ts'
import { type BulkOutcome, type BulkRejection, type BulkTarget, useBulkAction } from './use-bulk.ts'

/** A screen's wording for a bulk action, if more precise than the declaration's. */
export interface BulkActionWording {
  readonly title?: string
  /** Past participle of the action: "deleted". */
  readonly done?: string
  readonly question?: string
  /**
   * Returns a question about the selected rows, or about all rows that match the list's query if `rows` is undefined.
   * If the question is empty, no confirmation is needed.
   */
  readonly asks?: (rows: readonly Row[] | undefined) => Promise<string>
  /**
   * Returns the action's input from the selected rows, instead of asking for it. The action is then offered for selected
   * rows only, not for all rows that match the list's query.
   */
  readonly input?: (rows: readonly Row[]) => Readonly<Record<string, unknown>>
  /** Reviews the selection before the action, and may narrow it. Replaces the question. */
  readonly review?: (selection: BulkSelection) => Promise<BulkReview>
}

/** Selected rows, or the query of the list if all its rows are selected. */
type BulkSelection = { readonly rows: readonly Row[] } | { readonly asked: QueryParams }

/** Records that an action will apply to, as listed in its dialog; a sentence if there are none. */
export type BulkReview =
  | { readonly none: string }
  | {
      readonly question: ReactNode
      /** Label of the confirm button. */
      readonly confirm: string
      readonly which: BulkTarget
      readonly params: QueryParams
    }

interface Row {
  readonly '@id': string
  readonly id: number
}

interface Props {
  readonly resource: Resource
  readonly words: Readonly<Record<string, BulkActionWording>>
  readonly chosen: RowSelection<Row>
  /** Number of records that match the list's query; `undefined` while unknown. */
  readonly total: number | undefined
  /** Query parameters of the list. */
  readonly asked: QueryParams
  readonly href: ((row: never) => string) | undefined
  /** Called when the selection has been cleared and the bar closes. */
  readonly onLeave: () => void
  /** Additional buttons of the screen. */
  readonly more?: ReactNode
}

/** Maximum number of buttons in the bar. The other actions are in a menu. */
const ROOM = { phone: 1, desk: 3 } as const

/**
 * Bar with bulk actions for the selected rows. It is at the foot of the window, because selecting a row must not move
 * the list.
 */
export default function BulkActionBar({ resource, words, chosen, total, asked, href, onLeave, more }: Props) {
  const actor = useActor()
  const phone = useIsPhone()
  const bulk = useBulkAction(resource)
  const [dialog, ask] = useConfirm()
  const [input, setInput] = useState<BulkAction>()
  const [outcome, setOutcome] = useState<BulkOutcome>()
  const count = chosen.all ? total : chosen.rows.length
  const titleOf = (action: BulkAction) => words[action.name]?.title ?? action.title
  const actions = bulkActions(resource).filter(
    (action) =>
      canRunBulkAction(actor, resource, action) &&
      (chosen.all
        ? !isEverywhere(action, asked) && !words[action.name]?.input
        : canRunBulkActionOnSome(
            actor,
            resource,
            action,
            chosen.rows.map((row) => ({ ...row })),
          )),
  )

  const perform = async (action: BulkAction, given?: Readonly<Record<string, unknown>>, to?: string) => {
    const { done, question: usual, asks, review } = words[action.name] ?? {}
    const title = titleOf(action)
    const reviewed = await review?.(chosen.all ? { asked } : { rows: chosen.rows }).catch(toast.failed)
    if (review && !reviewed) return
    if (reviewed && 'none' in reviewed) return toast.info(reviewed.none)
    if (reviewed && !(await ask({ title, question: reviewed.question, action: reviewed.confirm }))) return
    const question = asks ? await asks(chosen.all ? undefined : chosen.rows) : usual
    if (question && !(await ask({ title, question, action: title, meaning: 'stop' }))) return
    const over = await bulk.start({
      action,
      word: done,
      to,
      which: chosen.all ? { all: true, count: total ?? 0 } : { ids: chosen.rows.map((row) => row['@id']) },
      params: chosen.all ? asked : {},
      ...reviewed,
      ...(given ? { input: given } : {}),
    })
    if (!over) return
    setInput(undefined)
    chosen.clear()
    if (over.refusals.length) setOutcome(over)
    else onLeave()
  }
  const letGo = () => {
    chosen.clear()
    onLeave()
  }
  const press = (action: BulkAction) => {
    const inputOf = words[action.name]?.input
    if (inputOf) return void perform(action, inputOf(chosen.rows))
    return Object.keys(action.input).length ? setInput(action) : void perform(action)
  }
  useScreenActions(
    count && !bulk.busy
      ? actions.map((action) => ({
          label: `${titleOf(action)}: ${formatInteger(count)} selected`,
          run: () => press(action),
        }))
      : [],
  )
  const closeOutcome = () => {
    setOutcome(undefined)
    onLeave()
  }
  const visibleCount = phone ? ROOM.phone : ROOM.desk
  const button = (action: BulkAction): ReactNode => (
    <Button key={action.name} size="xs" variant="default" disabled={bulk.busy} onClick={() => press(action)}>
      {titleOf(action)}
    </Button>
  )
  return (
    <>
      {(chosen.all || chosen.rows.length > 0 || bulk.run) && (
        <section
          className={css.bar}
          aria-label="Selected rows"
          onKeyDown={(e) => e.key === 'Escape' && !wasPageCovered() && letGo()}
        >
          <span role="status" className={css.count}>
            {chosen.all
              ? `All ${count === undefined ? '' : formatInteger(count)} selected`
              : `${formatInteger(count ?? 0)} selected`}
          </span>
          {!chosen.all && total !== undefined && total > chosen.rows.length && (
            <Button size="xs" variant="subtle" className={css.all ?? ''} onClick={chosen.chooseAll}>
              Select all {formatInteger(total)}
            </Button>
          )}
          <span className={css.actions}>
            {more}
            {actions.slice(0, visibleCount).map(button)}
            {actions.length > visibleCount && (
              <Menu position="top-end" withinPortal>
                <Menu.Target>
                  <Button size="xs" variant="default" aria-label="More actions" disabled={bulk.busy}>
                    <IconDots size={16} aria-hidden />
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {actions.slice(visibleCount).map((action) => (
                    <Menu.Item key={action.name} onClick={() => press(action)}>
                      {titleOf(action)}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            )}
          </span>
          <CloseButton aria-label="Clear the selection" onClick={letGo} />
          {bulk.run && (
            <span className={css.run}>
              <Progress value={percent(bulk.run.done, bulk.run.total)} aria-label="Progress" />
              <span role="status">
                {formatInteger(bulk.run.done ?? 0)} of {formatInteger(bulk.run.total ?? 0)}
              </span>
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => bulk.run && void requestJobStop(bulk.run).catch(toast.failed)}
              >
                Stop
              </Button>
            </span>
          )}
        </section>
      )}
      {input && !bulk.run && (
        <BulkInputDialog
          action={input}
          title={titleOf(input)}
          count={count}
          until={
            input.change && !chosen.all ? describeCurrentValues(resource, chosen.rows, input.change.field) : undefined
          }
          busy={bulk.busy}
          onClose={() => setInput(undefined)}
          onSubmit={(given, to) => void perform(input, given, to)}
        />
      )}
      {outcome && <BulkRejectionsDialog outcome={outcome} href={href} onClose={closeOutcome} />}
      {dialog}
    </>
  )
}

const percent = (done: number | null, total: number | null) => (total ? Math.min(100, ((done ?? 0) / total) * 100) : 0)

/** Returns true if all records that match the query already have the new value. */
const isEverywhere = ({ change }: BulkAction, asked: QueryParams): boolean =>
  change?.value !== undefined && asked[change.field] === String(change.value)

interface RejectionsProps {
  readonly outcome: BulkOutcome
  readonly href: ((row: never) => string) | undefined
  readonly onClose: () => void
}

/** Dialog with the result of a bulk action, which lists each rejected row with the reason. */
export function BulkRejectionsDialog({ outcome, href, onClose }: RejectionsProps) {
  const name = (r: BulkRejection) => r.title ?? `No. ${r.id}`
  return (
    <Dialog opened onClose={onClose} title="Some rows were refused" size="36rem">
      <p role="status">{outcome.sentence}</p>
      <ul className={css.refusals} aria-label="Refused rows">
        {outcome.refusals.map((r) => (
          <li key={r.id}>
            {href ? (
              <Anchor component={Link} to={href(r as never)} fw={600}>
                {name(r)}
              </Anchor>
            ) : (
              <strong>{name(r)}</strong>
            )}
            <span className={css.reason}>{r.message}</span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
