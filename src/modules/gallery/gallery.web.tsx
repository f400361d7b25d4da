import { Anchor, Title } from '@mantine/core'
import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { PageTitle } from '#web/ui/page-title.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import css from './gallery.module.css'
import { findGalleryComponent, GALLERY_COMPONENTS, type GalleryComponent } from './pieces.ts'
import type { GalleryStories } from './story.web.tsx'

type Group = LazyExoticComponent<ComponentType<{ readonly piece: string }>>

const group = (load: () => Promise<{ stories: GalleryStories }>): Group =>
  lazy(async () => {
    const { stories } = await load()
    return { default: ({ piece }) => stories[piece] ?? null }
  })

const Fields = group(() => import('./field-stories.web.tsx'))
const Dialogs = group(() => import('./dialog-stories.web.tsx'))
const States = group(() => import('./state-stories.web.tsx'))
const Lists = group(() => import('./list-stories.web.tsx'))
const Forms = group(() => import('./form-stories.web.tsx'))

const shown: Readonly<Record<GalleryComponent['group'], (piece: string) => ReactNode>> = {
  fields: (piece) => <Fields piece={piece} />,
  dialogs: (piece) => <Dialogs piece={piece} />,
  states: (piece) => <States piece={piece} />,
  lists: (piece) => <Lists piece={piece} />,
  forms: (piece) => <Forms piece={piece} />,
}

/** Gallery page that shows every state of a shared component. */
export default function ComponentGallery() {
  const piece = findGalleryComponent(useParams().piece)
  return (
    <div className={css.gallery}>
      <nav aria-label="Examples" className={css.index}>
        {GALLERY_COMPONENTS.map((p) => (
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
        {piece ? (
          <Suspense key={piece.name} fallback={<LoadingRows />}>
            {shown[piece.group](piece.name)}
          </Suspense>
        ) : (
          <Title order={2} className={css.hint}>
            Choose a component to see it in each of its states.
          </Title>
        )}
      </div>
    </div>
  )
}
