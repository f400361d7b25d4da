/** Logo of the product: a stanchion, seen from the front. */
export const ProductLogo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
    <rect width="64" height="64" rx="14" fill="#005387" />
    <path d="M18 14h28v6h-9v24h9v6H18v-6h9V20h-9z" fill="#fff" />
    <path d="M10 30h17v5H10zM37 30h17v5H37z" fill="#f9a800" />
  </svg>
)
