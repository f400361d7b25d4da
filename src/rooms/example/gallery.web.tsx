import { Anchor, Title } from '@mantine/core'
import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { PageTitle } from '#web/shell/PageTitle.tsx'
import { LoadingRows } from '#web/ui/States.tsx'
import css from './example.module.css'
import { type Piece, pieceOf, pieces } from './pieces.ts'
import type { Stories } from './story.web.tsx'

type Group = LazyExoticComponent<ComponentType<{ readonly piece: string }>>

const group = (load: () => Promise<{ stories: Stories }>): Group =>
  lazy(async () => {
    const { stories } = await load()
    return { default: ({ piece }) => stories[piece] ?? null }
  })

const groups: Readonly<Record<Piece['group'], Group>> = {
  fields: group(() => import('./field-stories.web.tsx')),
  dialogs: group(() => import('./dialog-stories.web.tsx')),
  states: group(() => import('./state-stories.web.tsx')),
  lists: group(() => import('./list-stories.web.tsx')),
}

/** Every shared piece, in each of its states. */
export default function Gallery() {
  const piece = pieceOf(useParams().piece)
  const Shown = piece && groups[piece.group]
  return (
    <div className={css.gallery}>
      <nav aria-label="Examples" className={css.index}>
        {pieces.map((p) => (
          <Anchor
            key={p.name}
            component={Link}
            to={`/example/${p.name}`}
            underline="hover"
            aria-current={p === piece ? 'page' : undefined}
          >
            {p.title}
          </Anchor>
        ))}
      </nav>
      <div className={css.stories}>
        <PageTitle>{piece ? piece.title : 'Examples'}</PageTitle>
        {piece && Shown ? (
          <Suspense fallback={<LoadingRows />}>
            <Shown key={piece.name} piece={piece.name} />
          </Suspense>
        ) : (
          <Title order={2} className={css.hint}>
            Choose a piece to see it in each of its states.
          </Title>
        )}
      </div>
    </div>
  )
}
