import css from './brand-panel.module.css'
import { useProviderName } from './facts.ts'

/** Logo of the product: a stanchion, seen from the front. */
export const ProductLogo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
    <rect width="64" height="64" rx="14" fill="#005387" />
    <path d="M18 14h28v6h-9v24h9v6H18v-6h9V20h-9z" fill="#fff" />
    <path d="M10 30h17v5H10zM37 30h17v5H37z" fill="#f9a800" />
  </svg>
)

const POSTS = [40, 160, 280, 400, 520]

/** Brand of the portal beside the sign-in form: stanchions with a chain between them. */
export const BrandPanel = () => (
  <header className={css.panel}>
    <p className={css.brand}>
      <ProductLogo size={40} />
      {useProviderName()}
    </p>
    <p className={css.words}>Safety, people and sales for your business, in one place.</p>
    <svg className={css.picture} viewBox="0 0 560 220" aria-hidden="true" focusable="false">
      {POSTS.slice(1).map((x) => (
        <path key={x} className={css.chain} d={`M${x - 120} 62 Q${x - 60} 130 ${x} 62`} />
      ))}
      {POSTS.map((x) => (
        <path key={x} className={css.post} d={`M${x - 22} 40h44v10h-15v140h15v10h-44v-10h15V50h-15z`} />
      ))}
    </svg>
  </header>
)
