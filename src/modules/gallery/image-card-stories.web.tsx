import { type ImageCard, ImageCardPicker } from '#web/forms/inputs/image-card-picker.tsx'
import { StatefulInput, Story } from './story.web.tsx'

const sign = (colour: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><circle cx="40" cy="40" r="36" fill="${colour}"/></svg>`)}`

const CATEGORIES = [
  { value: 'head', label: 'Head' },
  { value: 'hands', label: 'Hands' },
]
const ITEMS: readonly ImageCard[] = [
  { id: '1', name: 'Hard hat', image: sign('#005387') },
  { id: '2', name: 'Goggles', image: sign('#237f52') },
  { id: '3', name: '', image: null },
]
const nothing = () => undefined

export const ImageCardStories = () => (
  <>
    <Story title="Some chosen, one without a name">
      <StatefulInput start={['1']}>
        {(v, set) => (
          <ImageCardPicker
            label="Protective equipment"
            categories={CATEGORIES}
            category="head"
            onCategory={nothing}
            items={ITEMS}
            value={v}
            onChange={set}
          />
        )}
      </StatefulInput>
    </Story>
    <Story title="Read-only">
      <ImageCardPicker
        label="Agreed equipment"
        categories={CATEGORIES}
        category="head"
        onCategory={nothing}
        items={ITEMS}
        value={['2']}
        onChange={nothing}
        readOnly
      />
    </Story>
    <Story title="Loading">
      <ImageCardPicker
        label="Equipment"
        categories={CATEGORIES}
        category="hands"
        onCategory={nothing}
        items={undefined}
        value={[]}
        onChange={nothing}
      />
    </Story>
  </>
)
