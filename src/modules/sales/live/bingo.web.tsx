import { Alert, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { IconCheck, IconTrophy } from '@tabler/icons-react'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useActor } from '#web/api/me.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../sales.module.css'
import { BINGO_BOARD_URL, type BingoBoard, type BingoCard } from './board.ts'
import { LiveStatusChip } from './management.web.tsx'
import { BINGO_SQUARES, countBingoLines, isFullBingoCard } from './squares.ts'
import { useLiveFigures } from './use-live.web.ts'

/** Page that shows everybody's bingo cards for today. Calls and sales fill the cards. */
export default function BingoPage() {
  const actor = useActor()
  const { query, isLive } = useLiveFigures<BingoBoard>(BINGO_BOARD_URL)
  const board = query.data
  const own = board?.cards.find((card) => card.user === actor.userId)
  return (
    <Page
      title="Bingo"
      beside={
        board && (
          <>
            <Text span>{formatIsoDateAsUk(board.day)}</Text>
            <LiveStatusChip isLive={isLive} />
          </>
        )
      }
      about="Squares are filled automatically by your call outcomes and sales today. Three in a row make a line; all nine are bingo."
    >
      {query.isPending && <LoadingRows rows={6} />}
      {query.isError && !board && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {board && (
        <Stack gap="lg">
          {own && <Own card={own} />}
          <Title order={2} size="h4">
            Everybody’s cards
          </Title>
          <ResponsiveNumberTable
            label="Everybody’s cards"
            head="Person"
            columns={['Card', 'Squares', 'Lines']}
            rows={board.cards
              .toSorted(
                (a, b) => countBingoLines(b.filled) - countBingoLines(a.filled) || b.filled.length - a.filled.length,
              )
              .map((card) => ({
                key: String(card.id),
                name: card.name,
                cells: [
                  <Small key="card" card={card} />,
                  card.filled.length,
                  isFullBingoCard(card.filled) ? 'Bingo' : countBingoLines(card.filled),
                ],
              }))}
          />
        </Stack>
      )}
    </Page>
  )
}

function Own({ card: { filled } }: { readonly card: BingoCard }) {
  const lines = countBingoLines(filled)
  return (
    <Stack gap="sm">
      <div role="status">
        {lines > 0 && (
          <Alert color="green" icon={<IconTrophy aria-hidden />} title={isFullBingoCard(filled) ? 'Bingo!' : 'A line'}>
            {isFullBingoCard(filled)
              ? 'All nine squares in a day. Well done.'
              : lines === 1
                ? 'Three in a row. Well done.'
                : `${lines} lines. Well done.`}
          </Alert>
        )}
      </div>
      <ul className={css.bingo} aria-label="My card">
        {BINGO_SQUARES.map(({ key, label, how }) => {
          const isFilled = filled.includes(key)
          return (
            <li key={key} className={css.square} data-filled={isFilled || undefined}>
              <span>
                {isFilled && <IconCheck size={16} aria-label="Filled:" />} {label}
              </span>
              <small>{how}</small>
            </li>
          )
        })}
      </ul>
    </Stack>
  )
}

const Small = ({ card: { filled } }: { readonly card: BingoCard }) => (
  <span className={css.small} aria-hidden>
    {BINGO_SQUARES.map(({ key }) => (
      <i key={key} data-filled={filled.includes(key) || undefined} />
    ))}
  </span>
)
