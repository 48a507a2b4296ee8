import{a as gt}from"./chunk.js";import{b as _s,c as $s}from"./chunk_2.js";var Vn=_s(($l,qn)=>{"use strict";var V=[[{color:"0, 0, 0",class:"ansi-black"},{color:"187, 0, 0",class:"ansi-red"},{color:"0, 187, 0",class:"ansi-green"},{color:"187, 187, 0",class:"ansi-yellow"},{color:"0, 0, 187",class:"ansi-blue"},{color:"187, 0, 187",class:"ansi-magenta"},{color:"0, 187, 187",class:"ansi-cyan"},{color:"255,255,255",class:"ansi-white"}],[{color:"85, 85, 85",class:"ansi-bright-black"},{color:"255, 85, 85",class:"ansi-bright-red"},{color:"0, 255, 0",class:"ansi-bright-green"},{color:"255, 255, 85",class:"ansi-bright-yellow"},{color:"85, 85, 255",class:"ansi-bright-blue"},{color:"255, 85, 255",class:"ansi-bright-magenta"},{color:"85, 255, 255",class:"ansi-bright-cyan"},{color:"255, 255, 255",class:"ansi-bright-white"}]],Go=/(https?:\/\/(?:[A-Za-z0-9#;/?:@=+$',_.!~*()[\]-]|&amp;|%[A-Fa-f0-9]{2})+)/gm,dt=class t{static escapeForHtml(e){return new t().escapeForHtml(e)}static linkify(e){return new t().linkify(e)}static ansiToHtml(e,n){return new t().ansiToHtml(e,n)}static ansiToJson(e,n){return new t().ansiToJson(e,n)}static ansiToText(e){return new t().ansiToText(e)}constructor(){this.fg=this.bg=this.fg_truecolor=this.bg_truecolor=null,this.bright=0,this.decorations=[]}setupPalette(){this.PALETTE_COLORS=[];for(let l=0;l<2;++l)for(let u=0;u<8;++u)this.PALETTE_COLORS.push(V[l][u].color);let e=[0,95,135,175,215,255],n=(l,u,d)=>e[l]+", "+e[u]+", "+e[d],s,o,r;for(let l=0;l<6;++l)for(let u=0;u<6;++u)for(let d=0;d<6;++d)this.PALETTE_COLORS.push(n(l,u,d));let i=8;for(let l=0;l<24;++l,i+=10)this.PALETTE_COLORS.push(i+", "+i+", "+i)}escapeForHtml(e){return e.replace(/[&<>\"]/gm,n=>n=="&"?"&amp;":n=='"'?"&quot;":n=="<"?"&lt;":n==">"?"&gt;":"")}linkify(e){return e.replace(Go,n=>`<a href="${n}">${n}</a>`)}ansiToHtml(e,n){return this.process(e,n,!0)}ansiToJson(e,n){return n=n||{},n.json=!0,n.clearLine=!1,this.process(e,n,!0)}ansiToText(e){return this.process(e,{},!1)}process(e,n,s){let o=this,r=e.split(/\033\[/),i=r.shift();n==null&&(n={}),n.clearLine=/\r/.test(e);let l=r.map(u=>this.processChunk(u,n,s));if(n&&n.json){let u=o.processChunkJson("");return u.content=i,u.clearLine=n.clearLine,l.unshift(u),n.remove_empty&&(l=l.filter(d=>!d.isEmpty())),l}else l.unshift(i);return l.join("")}processChunkJson(e,n,s){n=typeof n>"u"?{}:n;let o=n.use_classes=typeof n.use_classes<"u"&&n.use_classes,r=n.key=o?"class":"color",i={content:e,fg:null,bg:null,fg_truecolor:null,bg_truecolor:null,isInverted:!1,clearLine:n.clearLine,decoration:null,decorations:[],was_processed:!1,isEmpty:()=>!i.content},l=e.match(/^([!\x3c-\x3f]*)([\d;]*)([\x20-\x2c]*[\x40-\x7e])([\s\S]*)/m);if(!l)return i;let u=i.content=l[4],d=l[2].split(";");if(l[1]!==""||l[3]!=="m"||!s)return i;let c=this;for(;d.length>0;){let m=d.shift(),p=parseInt(m);if(isNaN(p)||p===0)c.fg=c.bg=null,c.decorations=[];else if(p===1)c.decorations.push("bold");else if(p===2)c.decorations.push("dim");else if(p===3)c.decorations.push("italic");else if(p===4)c.decorations.push("underline");else if(p===5)c.decorations.push("blink");else if(p===7)c.decorations.push("reverse");else if(p===8)c.decorations.push("hidden");else if(p===9)c.decorations.push("strikethrough");else if(p===21)c.removeDecoration("bold");else if(p===22)c.removeDecoration("bold"),c.removeDecoration("dim");else if(p===23)c.removeDecoration("italic");else if(p===24)c.removeDecoration("underline");else if(p===25)c.removeDecoration("blink");else if(p===27)c.removeDecoration("reverse");else if(p===28)c.removeDecoration("hidden");else if(p===29)c.removeDecoration("strikethrough");else if(p===39)c.fg=null;else if(p===49)c.bg=null;else if(p>=30&&p<38)c.fg=V[0][p%10][r];else if(p>=90&&p<98)c.fg=V[1][p%10][r];else if(p>=40&&p<48)c.bg=V[0][p%10][r];else if(p>=100&&p<108)c.bg=V[1][p%10][r];else if(p===38||p===48){let f=p===38;if(d.length>=1){let _=d.shift();if(_==="5"&&d.length>=1){let y=parseInt(d.shift());if(y>=0&&y<=255)if(!o)this.PALETTE_COLORS||c.setupPalette(),f?c.fg=this.PALETTE_COLORS[y]:c.bg=this.PALETTE_COLORS[y];else{let v=y>=16?"ansi-palette-"+y:V[y>7?1:0][y%8].class;f?c.fg=v:c.bg=v}}else if(_==="2"&&d.length>=3){let y=parseInt(d.shift()),v=parseInt(d.shift()),b=parseInt(d.shift());if(y>=0&&y<=255&&v>=0&&v<=255&&b>=0&&b<=255){let h=y+", "+v+", "+b;o?f?(c.fg="ansi-truecolor",c.fg_truecolor=h):(c.bg="ansi-truecolor",c.bg_truecolor=h):f?c.fg=h:c.bg=h}}}}}if(c.fg===null&&c.bg===null&&c.decorations.length===0)return i;{let m=[],p=[],f={};return i.fg=c.fg,i.bg=c.bg,i.fg_truecolor=c.fg_truecolor,i.bg_truecolor=c.bg_truecolor,i.decorations=c.decorations,i.decoration=c.decorations.slice(-1).pop()||null,i.was_processed=!0,i}}processChunk(e,n,s){n=n||{};let o=this.processChunkJson(e,n,s),r=n.use_classes;if(o.decorations=o.decorations.filter(m=>{if(m==="reverse"){o.fg||(o.fg=V[0][7][r?"class":"color"]),o.bg||(o.bg=V[0][0][r?"class":"color"]);let p=o.fg;o.fg=o.bg,o.bg=p;let f=o.fg_truecolor;return o.fg_truecolor=o.bg_truecolor,o.bg_truecolor=f,o.isInverted=!0,!1}return!0}),n.json)return o;if(o.isEmpty())return"";if(!o.was_processed)return o.content;let i=[],l=[],u=[],d={},c=m=>{let p=[],f;for(f in m)m.hasOwnProperty(f)&&p.push("data-"+f+'="'+this.escapeForHtml(m[f])+'"');return p.length>0?" "+p.join(" "):""};return o.isInverted&&(d["ansi-is-inverted"]="true"),o.fg&&(r?(i.push(o.fg+"-fg"),o.fg_truecolor!==null&&(d["ansi-truecolor-fg"]=o.fg_truecolor,o.fg_truecolor=null)):i.push("color:rgb("+o.fg+")")),o.bg&&(r?(i.push(o.bg+"-bg"),o.bg_truecolor!==null&&(d["ansi-truecolor-bg"]=o.bg_truecolor,o.bg_truecolor=null)):i.push("background-color:rgb("+o.bg+")")),o.decorations.forEach(m=>{if(r){l.push("ansi-"+m);return}m==="bold"?l.push("font-weight:bold"):m==="dim"?l.push("opacity:0.5"):m==="italic"?l.push("font-style:italic"):m==="hidden"?l.push("visibility:hidden"):m==="strikethrough"?u.push("line-through"):u.push(m)}),u.length&&l.push("text-decoration:"+u.join(" ")),r?'<span class="'+i.concat(l).join(" ")+'"'+c(d)+">"+o.content+"</span>":'<span style="'+i.concat(l).join(";")+'"'+c(d)+">"+o.content+"</span>"}removeDecoration(e){let n=this.decorations.indexOf(e);n>=0&&this.decorations.splice(n,1)}};qn.exports=dt});var w,yt,gs,F,Be,be,vt,$e,wt,Je,Ke,kt,se=Symbol.for("pv"),ye={},ve=[],bs=/^m(i|n|o|s|text|space)$/,ze=Array.isArray,Xe=ve.slice,J=Object.assign;function G(t){t&&t.parentNode&&t.remove()}function W(t,e,n){var s,o,r,i={},l=arguments.length;for(r in e)r=="key"?s=e[r]:r=="ref"&&typeof t!="function"?o=e[r]:i[r]=e[r];return l>2&&(i.children=l>3?Xe.call(arguments,2):n),ne(t,i,s,o,null)}function ne(t,e,n,s,o){var r={type:t,props:e,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:se,__v:o||++yt,__i:-1,__u:0};return!o&&w.vnode&&w.vnode(r),r}function we(t){return t.children}function Q(t,e){this.props=t,this.context=e,this.__g=0}function j(t,e){if(e==null)return t.__&&j(t.__,t.__i+1);for(var n;e<t.__k.length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:j(t)}function ys(t){var e,n=t.__v,s=n.__e,o=[],r=[],i=t.__P;i&&((e=J({constructor:se},n)).__v=n.__v+1,w.vnode&&w.vnode(e),Ye(i,e,n,t.__n,i.namespaceURI,32&n.__u?[s]:null,o,s||j(n),32&n.__u,r),e.__v=n.__v,e.__.__k[e.__i]=e,Ot(o,e,r),n.__=n.__e=null,e.__e!=s&&xt(e))}function xt(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),xt(t)}function Ge(t){(8&t.__g||(t.__g|=8,F.push(t),be++))&&Be==w.debounceRendering||((Be=w.debounceRendering)||queueMicrotask)(St)}function St(){try{for(var t,e=1;F.length;)F.length>e&&F.sort(vt),t=F.shift(),e=F.length,8&t.__g&&ys(t)}finally{(be=F.length)&&(Be||queueMicrotask)(St)}}function Ct(t,e,n,s,o,r,i,l,u,d,c){var m,p,f,_,y,v,b=s.__k||ve,h=e.length;for(u=vs(n,e,b,u,h),m=0;m<h;m++)(f=n.__k[m])!=null&&(p=~f.__i&&b[f.__i]||ye,f.__i=m,v=Ye(t,f,p,o,r,i,l,u,d,c),_=f.__e,(p.ref!=f.ref||8&p.__u)&&(p.ref&&Qe(p.ref,null,f,p),f.ref&&c.push(f.ref,f.__c||_,f)),y=y||_,4&f.__u?(u=Tt(f,u,t,!p.__v),p.__e&&(p.__e=null)):typeof f.type=="function"&&v!==void 0?u=v:_&&(u=_.nextSibling),f.__u&=-21);return n.__e=y,u}function vs(t,e,n,s,o){var r,i,l,u,d,c,m,p,f,_=n.length,y=_,v=0,b=0,h=t.__k=Array(o);for(r=0;r<o;r++)(i=e[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=h[r]=ne(null,i):ze(i)?i=h[r]=ne(we,{children:i}):i.constructor===se&&i.__b?i=h[r]=ne(i.type,i.props,i.key,i.ref,i.__v):h[r]=i,u=r+v,i.__=t,i.__b=t.__b+1,l=null,~(d=i.__i=ws(i,n,u,y))&&(y--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==u-1?v--:d==u+1?v++:d!=u&&(d>u?v--:v++,b=1)):(~d||(o>_?v--:o<_&&v++),typeof i.type!="function"&&(i.__u|=4))):h[r]=null;if(b){for(c=[],m=[],r=0;r<o;r++)if((i=h[r])&&16&i.__u){for(v=0,p=c.length;v<p;)c[f=v+p>>1]<i.__i?v=f+1:p=f;c[v]=i.__i,m[r]=v+1}for(v=c.length;r--;)m[r]&&(m[r]==v?v--:h[r].__u|=4)}if(y)for(r=0;r<_;r++)!(l=n[r])||2&l.__u||(l.__e==s&&(s=j(l)),Ze(l,l));return s}function Tt(t,e,n,s){var o,r,i,l;if(typeof t.type=="function"){if(t.props.__P)return e;if(o=t.__k)for(r=0;r<o.length;r++)o[r]&&(o[r].__=t,e=Tt(o[r],e,n,!1));return e}for(e&&!e.parentNode&&(e=j(t))&&!e.parentNode&&(e=null),i=t.__e,l=e;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!s&&n.moveBefore&&i.parentNode?n.moveBefore(i,e):n.insertBefore(i,e||null)),e=i;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function ws(t,e,n,s){var o,r=t.key,i=t.type,l=e[n],u=l&&!(2&l.__u);if(l===null&&r==null||u&&r==l.key&&i==l.type)return n;if(s>(u?1:0)){for(o=n-1;o>=0;o--)if((l=e[o])&&!(2&l.__u)&&r==l.key&&i==l.type)return o;for(o=n+1;o<e.length;o++)if((l=e[o])&&!(2&l.__u)&&r==l.key&&i==l.type)return o}return-1}function bt(t,e,n){n==null&&(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function _e(t,e,n,s,o){var r,i;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof s=="string"&&(t.style.cssText=s=""),s)for(e in s)n&&e in n||bt(t.style,e);if(n)for(e in n)s&&n[e]==s[e]||bt(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),typeof s!="function"&&(s=null),(t.__e||(t.__e={}))[e]=n,n&&s||(i=Ke[e]||(Ke[e]=ks(e)),(t.__a||(t.__a={}))[e]=Je,r=e!=(e=e.replace(wt,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),n?t.addEventListener(e,i,r):t.removeEventListener(e,i,r));else{if(o=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function ks(t){return function(e){var n=this.__e;if(n){if(n=n[t],e[$e]==null)e[$e]=Je++;else if(e[$e]<this.__a[t])return;return n(w.event?w.event(e):e)}}}function Ye(t,e,n,s,o,r,i,l,u,d){var c,m,p,f,_,y,v,b,h,T,x,Ve,_t,he,B,$t,I,K,D=e.type;if(e.constructor!==se)return null;128&n.__u&&(u=32&n.__u,c=n.__c.__z)&&(e.__u|=u,m=r=[],c.nodeType==8?l=ge(c,r):r.push(c),l=r[0]||l),(c=w.__b)&&c(e);e:if(typeof D=="function"){p=i.length;try{if(b=e.props,h=(c=D.prototype)&&c.render,T=(c=D.contextType)&&s[c.__c],x=c?T?T.props.value:c.__:s,(f=n.__c)?(e.__c=f,2&f.__g&&(f.__g|=1)):(h?e.__c=f=new D(b,x):(e.__c=f=new Q(b,x),f.constructor=D,f.render=Ss),T&&T.sub(f),f.state||(f.state={}),f.__n=s,f.__g|=8,f.__h=[],f.__k=[]),h&&(f.__s||(f.__s=f.state),D.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=J({},f.__s)),J(f.__s,D.getDerivedStateFromProps(b,f.__s)))),_=f.props,y=f.state,f.__v=e,n.__c){if(b!==_&&h&&!D.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(b,x),e.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(b,f.__s,x)===!1){e.__v!=n.__v&&(f.props=b,f.state=f.__s,f.__g&=-9),e.__e=n.__e,e.__k=n.__k,e.__k.some(function(P){P&&(P.__=e)}),ve.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&i.push(f),l=j(n);break e}f.componentWillUpdate&&f.componentWillUpdate(b,f.__s,x),h&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(_,y,v)})}else h&&!D.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),h&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=b,f.__P=t,f.__g&=-5,Ve=w.__r,_t=h?25:0;do f.__g&=-9,Ve&&Ve(e),c=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++_t<25);h&&(ve.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(s=J({},s,f.getChildContext())),h&&n.__c&&f.getSnapshotBeforeUpdate&&(v=f.getSnapshotBeforeUpdate(_,y)),he=c&&c.type===we&&c.key==null?c.props.children:c,b.__P&&(c=l,o=(t=b.__P).namespaceURI,u=r=null,n.props&&n.props.__P!=t&&(n.__k.some(function(P){P&&Ze(P,P)}),n.__k=null),l=n.__k?j(n,0):null),l=Ct(t,ze(he)?he:[he],e,n,s,o,r,i,l,u,d),b.__P&&(e.__e=null,l=c),e.__u&=-161,m&&m.some(G),f.__h.length&&i.push(f),1&f.__g&&(f.__g&=-4)}catch(P){if(i.length=p,e.__v=null,u||r)if(P&&P.then){if(e.__u|=128|u,r){for(~(I=r.indexOf(l||void 0))||(I=r.length);(K=r[I-1])&&K.nodeType==8;)I--;for(;I<r.length;I++)if(K=r[I])if(r[I]=null,B){if(K==$t)break}else{if(K.nodeType!=8)break;K.data.startsWith("$s")&&($t=ge(B=K))}}if(!B){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;B=l}(c=ge(B=e.__c.__z||(e.__c.__z=B)))?(e.__e=B,l=c):e.__e=l,l=l&&l.nextSibling}else r&&r.some(G);else e.__e=n.__e;e.__k||(e.__k=n.__k||[]),P&&P.then||Et(e),w.__e(P,e,n)}}else l=e.__e=xs(n.__e,e,n,s,o,r,i,u,d,t);return(c=w.diffed)&&c(e),l}function ge(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(t)}}function Et(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some(Et))}function Ot(t,e,n){for(var s=0;s<n.length;)Qe(n[s++],n[s++],n[s++]);w.__c&&w.__c(e,t),t.some(function(o){try{t=o.__h,o.__h=[],t.some(function(r){r.call(o)})}catch(r){w.__e(r,o.__v)}})}function xs(t,e,n,s,o,r,i,l,u,d){var c,m,p,f,_,y,v,b,h=n.props||ye,T=e.props,x=e.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r){for(c=0;c<r.length;c++)if((_=r[c])&&(x?_.localName==x:_.nodeType==3)){t=_,r[c]=null;break}}if(!t){if(b=d.ownerDocument||document,!x)return b.createTextNode(T);t=b.createElementNS(o,x,T.is?T:d),l&&(w.__m&&w.__m(e,r),l=!1),r=null}if(x){if(d=x=="template"&&t.content||t,r=x=="textarea"&&T.defaultValue!=null?null:r&&Xe.call(d.childNodes),!l&&r)for(h={},c=0;c<t.attributes.length;c++)h[(_=t.attributes[c]).name]=_.value;for(c in h)_=h[c],c=="dangerouslySetInnerHTML"?p=_:c=="children"||c in T||c=="value"&&"defaultValue"in T||c=="checked"&&"defaultChecked"in T||_e(t,c,null,_,o);for(c in T)_=T[c],c=="children"?f=_:c=="dangerouslySetInnerHTML"?m=_:c=="value"?y=_:c=="checked"?v=_:l&&typeof _!="function"||h[c]===_||_e(t,c,_,h[c],o);m?(l||p&&(m.__html==p.__html||m.__html==t.innerHTML)||(t.innerHTML=m.__html),e.__k=[]):(p&&(t.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&bs.test(x))&&(o="http://www.w3.org/1999/xhtml"),Ct(d,ze(f)?f:[f],e,n,s,o,r,i,r?r[0]:n.__k&&j(n,0),l,u),r&&r.some(G)),l&&x!="textarea"||(c="value",x=="progress"&&y==null?t.removeAttribute(c):y==null||y===t[c]&&(x!="progress"||y)||_e(t,c,y,h[c],o),c="checked",v!=null&&v!=t[c]&&_e(t,c,v,h[c],o))}else h===T||l&&t.data==T||(t.data=T);return t}function Qe(t,e,n,s){try{typeof t=="function"?e?e.__x=t(e)||1:s&&(s=s.__c||s.__e)&&(e=s.__x)&&(s.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(o){w.__e(o,n)}}function Ze(t,e,n){var s,o,r,i;if(w.unmount&&w.unmount(t),!(s=t.ref)||s.current&&s.current!=t.__e||Qe(s,null,e,t),s=t.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){w.__e(l,e)}s.__P=s.__n=null}if(s=t.__k)for(i=0;i<s.length;i++)s[i]&&Ze(s[i],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(s=t.__c)&&(s=s.__z)&&(o=ge(s,r=[]))&&(s==t.__e&&r.some(G),G(o),G(s)),n||G(t.__e),t.__e=t.__c=t.__=null}function Ss(t,e,n){return this.constructor(t,n)}function Pt(t,e){var n,s,o,r;w.__&&w.__(t,e),e.nodeType==9&&(e=e.documentElement),s=(n=t&&32&t.__u)?null:e.__k,e.__k=ne(we,{children:[t]}),o=[],r=[],Ye(e,e.__k,s||ye,ye,e.namespaceURI,s?null:e.firstChild?Xe.call(e.childNodes):null,o,s?s.__e:e.firstChild,n,r),Ot(o,e.__k,r),e.__k.props.children=null}function Rt(t){function e(n){var s,o;return this.getChildContext||(s=new Set,(o={})[e.__c]=this,this.getChildContext=function(){return o},this.shouldComponentUpdate=function(r){this.props.value!=r.value&&s.forEach(function(i){i.__g|=4,Ge(i)})},this.sub=function(r){s.add(r);var i=r.componentWillUnmount;r.componentWillUnmount=function(){s.delete(r),i&&i.call(r)}}),n.children}return e.__c="__cC"+kt++,e.__=t,e.Provider=(e.Consumer=function(n,s){return n.children(s)}).contextType=e,e}w={__e:function(t,e,n,s){for(var o,r,i;e=e.__;)if((o=e.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(r=o.constructor)&&r.getDerivedStateFromError)&&o.setState(r.getDerivedStateFromError(t)),o.componentDidCatch&&(o.componentDidCatch(t,s||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(l){t=l}}throw be=0,t}},yt=0,gs=function(t){return t!=null&&t.constructor===se},Q.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=J({},this.state)),typeof t=="function"&&(t=t(J({},n),this.props)),t&&(J(n,t),this.__v&&(e&&this.__k.push(e),Ge(this)))},Q.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),Ge(this))},Q.prototype.render=we,F=[],be=0,vt=function(t,e){return t.__v.__b-e.__v.__b},$e=Symbol(),wt=/(PointerCapture)$|Capture$/i,Je=0,Ke={},kt=0;var At=function(t,e,n,s){var o;e[0]=0;for(var r=1;r<e.length;r++){var i=e[r++],l=e[r]?(e[0]|=i?1:2,n[e[r++]]):e[++r];i===3?s[0]=l:i===4?s[1]=Object.assign(s[1]||{},l):i===5?(s[1]=s[1]||{})[e[++r]]=l:i===6?s[1][e[++r]]+=l+"":i?(o=t.apply(l,At(t,l,n,["",null])),s.push(o),l[0]?e[0]|=2:(e[r-2]=0,e[r]=o)):s.push(l)}return s},Lt=new Map;function Nt(t){var e=Lt.get(this);return e||(e=new Map,Lt.set(this,e)),(e=At(this,e.get(t)||(e.set(t,e=function(n){for(var s,o,r=1,i="",l="",u=[0],d=function(p){r===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,p,i):r===3&&(p||i)?(u.push(3,p,i),r=2):r===2&&i==="..."&&p?u.push(4,p,0):r===2&&i&&!p?u.push(5,0,!0,i):r>=5&&((i||!p&&r===5)&&(u.push(r,0,i,o),r=6),p&&(u.push(r,p,0,o),r=6)),i=""},c=0;c<n.length;c++){c&&(r===1&&d(),d(c));for(var m=0;m<n[c].length;m++)s=n[c][m],r===1?s==="<"?(d(),u=[u],r=3):i+=s:r===4?i==="--"&&s===">"?(r=1,i=""):i=s+i[0]:l?s===l?l="":i+=s:s==='"'||s==="'"?l=s:s===">"?(d(),r=1):r&&(s==="="?(r=5,o=i,i=""):s==="/"&&(r<5||n[c][m+1]===">")?(d(),r===3&&(u=u[0]),r=u,(u=u[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(d(),r=2):i+=s),r===3&&i==="!--"&&(r=4,u=u[0])}return d(),u}(t)),e),arguments,[])).length>1?e:e[0]}var a=Nt.bind(W);var Dt="bulkhead-key",Cs=/^#key=([0-9a-f]+)$/;function Mt(){let[,t]=Cs.exec(location.hash)??[];t!==void 0&&(localStorage.setItem(Dt,t),history.replaceState(null,"",location.pathname))}function It(){return localStorage.getItem(Dt)??""}var z=class extends Error{code;status;constructor(e,n,s){super(n),this.code=e,this.status=s}},Ts="The server cannot be reached. The page tries again by itself; start the server if it has ended",ke=class{info(){return L("GET","/info")}folders(e){return L("GET",`/folders?path=${encodeURIComponent(e)}`)}runs(e){let n=new URLSearchParams({limit:"50"});return e.search!==""&&n.set("search",e.search),e.before!==null&&n.set("before",e.before),L("GET",`/runs?${n}`)}start(e){return L("POST","/runs",e)}run(e){return L("GET",O(e))}answer(e,n){return L("POST",`${O(e)}/answer`,n)}cancel(e){return L("POST",`${O(e)}/cancel`)}resume(e,n){return L("POST",`${O(e)}/resume`,n)}files(e){return L("GET",`${O(e)}/files`)}async sources(e){let{sources:n}=await L("GET",`${O(e)}/sources`);return n}async diff(e){return await(await Ft("GET",`${O(e)}/diff`)).text()}undo(e){return L("POST",`${O(e)}/undo`)}};function O(t){return`/runs/${encodeURIComponent(t)}`}async function L(t,e,n){return await(await Ft(t,e,n)).json()}async function Ft(t,e,n){let s={"x-page-key":It()},o=n===void 0?{headers:s}:{headers:{...s,"content-type":"application/json"},body:JSON.stringify(n)},r=await fetch(e,{method:t,...o}).catch(()=>{throw new z("offline",Ts,0)});if(!r.ok)throw await Es(r);return r}async function Es(t){let{error:e}=await t.json().catch(()=>({})),n=e?.message??`The server answered with status ${t.status}`;return new z(e?.code??"internal",n,t.status)}var Os={prompt:!0,"run.start":!0,"run.end":!0,"run.queued":!0,"turn.start":!0,"text.delta":!0,"tool.start":!0,"tool.progress":!0,"tool.end":!0,"tools.added":!0,"program.start":!0,"program.input":!0,"program.end":!0,question:!0,"question.end":!0,attached:!0,compact:!0,permission:!0,plan:!0,retry:!0,state:!0,warning:!0};function jt(t,e,n){let s=new EventSource(`${O(t)}/events?after=${e}`),o=[],r=0,i=()=>{r=0;let u=o;o=[],u.length>0&&n.onEvents(u)},l=({data:u,lastEventId:d})=>{let{v:c,time:m,...p}=JSON.parse(u);o.push({n:Number(d),time:m,event:p}),r||=document.hidden?setTimeout(i,200):requestAnimationFrame(i)};for(let u of Object.keys(Os))s.addEventListener(u,l);return s.addEventListener("open",()=>n.onLink("live")),s.addEventListener("error",()=>{i(),s.readyState===EventSource.CLOSED?n.onClose():n.onLink("away")}),()=>{s.close(),o=[]}}function Wt(t,e){let n=e.filter(({n:p})=>p>t.last),s=n.at(-1);if(!s)return t;let{plan:o,ahead:r,turn:i}=t,l={items:[...t.items],open:new Map(t.open),asked:new Map(t.asked),rest:{plan:o,ahead:r,turn:i},n:0,time:""};for(let{n:p,time:f,event:_}of n)l.n=p,l.time=f,Ps(l,_);let{items:u,open:d,asked:c,rest:m}=l;return{...m,items:u,open:d,asked:c,last:s.n}}function Ps(t,e){switch(e.type){case"prompt":return Z(t),e.text===""?void 0:oe(t,{kind:"said",text:e.text});case"run.queued":t.rest.ahead=e.ahead;return;case"run.start":t.rest.ahead=null,t.items.some(({kind:n})=>n==="end")&&U(t,"info","The run goes on."),t.open.clear();return;case"turn.start":return t.rest.turn=e.n,Z(t);case"plan":t.rest.plan=e.plan;return;case"text.delta":return Rs(t,e);case"question":return t.asked.set(e.question.id,e.question.kind),Z(t);case"question.end":return As(t,e);case"run.end":return Ns(t,e);default:return"id"in e?Ds(t,e):Us(t,e)}}function Rs(t,{text:e,restart:n}){let s=t.items.at(-1);s?.kind==="text"&&s.isOpen?t.items[t.items.length-1]={...s,text:n?e:s.text+e}:e!==""&&oe(t,{kind:"text",text:e,isOpen:!0})}function Z(t){let e=t.items.at(-1);e?.kind!=="text"||!e.isOpen||(e.text.trim()===""?t.items.pop():t.items[t.items.length-1]={...e,isOpen:!1})}var Ls={once:"Allowed once.",run:"Allowed in this run.",no:"Refused."};function As(t,{id:e,answer:n}){let s=t.asked.get(e)==="consent";if(t.asked.delete(e),n===null)return U(t,"info","Nobody waits for an answer any more.");U(t,"info",s&&Ls[n]||`Answered: ${n}`)}function Ns(t,e){Z(t),t.open.clear(),t.rest.ahead=null;let{termination_reason:n,answer:s=null,changed:o=[],refused:r=[]}=e,i=t.items.findLast(({kind:u})=>u==="text"||u==="end"),l=i?.kind==="text"&&s!==null&&i.text.trim()===s.trim();oe(t,{kind:"end",end:{reason:n,answer:l?null:s,changed:o,refused:r}})}function Ds(t,e){if(e.type==="tool.start")return Z(t),t.open.set(e.id,t.items.length),oe(t,{kind:"call",call:Ms(e,t.time)});let n=t.open.get(e.id),s=n===void 0?void 0:t.items[n];n===void 0||s?.kind!=="call"||(t.items[n]={...s,call:Is(s.call,e)},e.type==="tool.end"&&t.open.delete(e.id))}function Ms({id:t,tool:e,arguments:n},s){return{id:t,tool:e,input:n,started:s,progress:null,programs:[],refusals:[],result:null,isRecorded:!1}}function Is(t,e){switch(e.type){case"tool.progress":{let{type:n,id:s,...o}=e;return{...t,progress:o}}case"tool.end":return{...t,result:e.result,isRecorded:e.verdict==="recorded",progress:null};case"program.start":{let{program:n,argv:s,command:o=s.join(" "),sandboxed:r}=e;return{...t,programs:[...t.programs,{program:n,words:o,sandboxed:r,end:null}]}}case"program.end":return{...t,programs:t.programs.map(n=>Fs(n,e))};case"permission":return e.decision==="refused"?{...t,refusals:[...t.refusals,Ws(e)]}:t;default:return t}}function Fs(t,{program:e,exit_code:n,reason:s}){return t.program!==e?t:{...t,end:s==="exited"?`exit code ${n}`:s}}var js={read:"read",write:"write",net:"reach",run:"start"};function Ws(t){if("rule"in t)return{text:`Forbidden by the rule ${t.rule}`,flag:null};let e=`No permission to ${js[t.kind]} ${t.target}`;return t.flag.startsWith("--deny")?{text:`${e}: it is denied, by the server or for this run`,flag:null}:{text:e,flag:t.flag}}function Us(t,e){if(e.type==="warning"&&U(t,"warning",e.message),e.type==="retry"){let n=Math.round(e.wait_ms/100)/10;U(t,"warning",`${e.message}. Try ${e.n} of ${e.max} in ${n} s.`)}e.type==="compact"&&U(t,"info",`Older turns were summed up: ${e.before_tokens} to ${e.after_tokens} tokens.`),e.type==="tools.added"&&U(t,"info",`New tools: ${e.tools.join(", ")}`),e.type==="attached"&&U(t,"info",`Attached: ${e.path}`)}function U(t,e,n){Z(t),oe(t,{kind:"note",tone:e,text:n})}function oe(t,e){t.items.push({...e,key:t.n})}function et(t){let e=t.replace(/^#/,"");if(e==="/runs")return{at:"list"};let[,n]=/^\/runs\/([^/]+)$/.exec(e)??[];if(n===void 0)return{at:"new"};try{return{at:"run",id:decodeURIComponent(n)}}catch{return{at:"new"}}}function xe(t){return`#/runs/${encodeURIComponent(t)}`}var Se=class{#e;#n=new Set;constructor(e){this.#e=e}get value(){return this.#e}change(e){let n=e(this.#e);if(n!==this.#e){this.#e=n;for(let s of this.#n)s()}}listen(e){return this.#n.add(e),()=>void this.#n.delete(e)}};var Ut={last:0,items:[],open:new Map,plan:null,asked:new Map,ahead:null,turn:0};function Ht(t){return{route:t,info:null,list:{search:"",rows:[],next:null,isLoaded:!1},run:null,problem:null,isLocked:!1,spoken:""}}function qt(t,e){let n=e?.id===t;return{id:t,now:n?e:null,transcript:Ut,link:"live",isNew:n}}var Hs=4e3,Vt=8e3,qs=new Set(["run.queued","run.start","run.end","question","question.end"]),Vs={queued:"The run waits for its turn.",running:"The run is at work.",waiting:"The run waits for your answer.",interrupted:"The run was stopped.",completed:"The run is completed.",failed:"The run failed."},Ce=class{api=new ke;store;#e=()=>{};#n=0;#u=null;constructor(){this.store=new Se(Ht(et(location.hash)))}begin(){addEventListener("hashchange",()=>this.#f()),setInterval(()=>!document.hidden&&void this.#o(),Hs),this.#c(),this.searchRuns(""),this.#f()}async start(e){let n=await this.attempt(this.api.start(e));return n?(this.#u=n,location.hash=xe(n.id),this.#o(),!0):!1}async resume(e,n){let s=await this.attempt(this.api.resume(e,n)),{run:o}=this.store.value;return!s||o?.id!==e?s!==null:(this.#t(e,{now:s,link:"live"}),this.#r(e),!0)}async answer(e,n){let s=await this.attempt(this.api.answer(e,n));return s&&this.#t(e,{now:s}),s!==null}async cancel(e){let n=await this.attempt(this.api.cancel(e));n&&this.#t(e,{now:n})}async searchRuns(e){this.#a({search:e,isLoaded:!1}),await this.#o()}async moreRuns(){let{search:e,next:n}=this.store.value.list,s=await this.attempt(this.api.runs({search:e,before:n}));s&&this.#a({rows:[...this.store.value.list.rows,...s.runs],next:s.next})}async attempt(e){try{let n=await e;return this.#s({problem:null}),n}catch(n){return this.#l(n),null}}closeProblem(){this.#s({problem:null})}async#c(){let e=await this.attempt(this.api.info());e?this.#s({info:e}):this.store.value.isLocked||setTimeout(()=>void this.#c(),Vt)}async#o(){let{search:e,rows:n,isLoaded:s}=this.store.value.list;try{let o=await this.api.runs({search:e,before:null});if(this.store.value.list.search!==e)return;let r=new Set(o.runs.map(({id:d})=>d)),i=s&&n.length>o.runs.length?n.slice(o.runs.length):[],l=o.next===null?[]:i.filter(({id:d})=>!r.has(d)),u=l.length>0?this.store.value.list.next:o.next;this.#a({rows:[...o.runs,...l],next:u,isLoaded:!0}),this.#p(o.runs),this.store.value.problem?.code==="offline"&&this.#s({problem:null})}catch(o){this.#l(o)}}#p(e){let{run:n}=this.store.value,s=e.find(({id:o})=>o===n?.id);s&&n?.now&&this.#t(n.id,{now:{...n.now,usage:s.usage,policy:s.policy}})}#f(){let e=et(location.hash);this.#e(),this.#s({route:e,problem:null,run:e.at==="run"?qt(e.id,this.#u):null,spoken:""}),e.at==="run"&&(this.#i(e.id),this.#r(e.id))}#r(e){this.#e();let{run:n}=this.store.value;if(n?.id!==e)return;let s=jt(e,n.transcript.last,{onEvents:o=>this.#m(e,o),onLink:o=>{if(o==="live")this.#n=0;else if(this.store.value.run?.transcript.items.at(-1)?.kind==="end")return void this.#d(e);this.#t(e,{link:o})},onClose:()=>void this.#d(e)});this.#e=s}async#d(e){this.#e();let n=await this.#i(e),{run:s,isLocked:o}=this.store.value;if(s?.id!==e||o||s.link==="missing")return;if(n&&s.transcript.last>=n.events&&!["queued","running","waiting"].includes(n.state))return this.#t(e,{link:"closed"});this.#t(e,{link:n?"live":"away"}),this.#n=Math.min(Vt,this.#n*2+500);let r=setTimeout(()=>this.#r(e),this.#n);this.#e=()=>clearTimeout(r)}#m(e,n){let{run:s}=this.store.value;s?.id===e&&(this.#t(e,{transcript:Wt(s.transcript,n)}),n.some(({event:o})=>qs.has(o.type))&&(this.#i(e),this.#o()))}async#i(e){try{let n=await this.api.run(e);return this.#t(e,{now:n}),n}catch(n){return this.store.value.run?.id!==e||(n instanceof z&&n.code==="not_found"?this.#t(e,{link:"missing"}):this.#l(n)),null}}#t(e,n){this.store.change(s=>{if(s.run?.id!==e)return s;let o=s.run.now?.state,r=n.now&&n.now.state!==o?Vs[n.now.state]:s.spoken;return{...s,run:{...s.run,...n},spoken:r}})}#a(e){this.store.change(n=>({...n,list:{...n.list,...e}}))}#s(e){this.store.change(n=>({...n,...e}))}#l(e){let{code:n,message:s,status:o}=e instanceof z?e:{code:"internal",message:String(e),status:0};o===401?this.#s({isLocked:!0}):this.#s({problem:{code:n,message:s}})}};var X,S,tt,Bt,nt=Object.is,Te=0,en=[],st=[],C=w,Kt=C.__b,Gt=C.__r,Jt=C.diffed,zt=C.__c,Xt=C.unmount,Yt=C.__;function ie(t,e){C.__h&&C.__h(S,t,Te||e),Te=0;var n=S.__H||(S.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function $(t){return Te=1,Bs(nn,t)}function Bs(t,e,n){var s=ie(X++,2);if(s.t=t,!s.__c&&(s.__=[n?n(e):nn(void 0,e),function(r){var i=(s.__N||s.__)[0],l=s.t(i,r);nt(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=S,!S.__f)){S.__f=!0;var o=S.shouldComponentUpdate;S.shouldComponentUpdate=function(r,i,l){var u=this.__H;if(!u)return!0;var d=!1,c=this.props!=r;if(u.__.some(function(p){p.__N&&(d=!0,nt(p.__[0],p.__N[0])||(c=!0))}),o){var m=o.call(this,r,i,l);return d?m||c:m}return!d||c}}return s.__}function k(t,e){var n=ie(X++,3);!C.__s&&rt(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,S.__H.__h.push(n))}function A(t,e){var n=ie(X++,4);!C.__s&&rt(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,S.__h.push(n))}function E(t){return Te=5,M(function(){return{current:t}},[])}function M(t,e){var n=ie(X++,7);return rt(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function tn(t){var e=S.context[t.__c],n=ie(X++,9);return n.c=t,e?(n.__==null&&(n.__=!0,e.sub(S)),e.props.value):t.__}function Ks(){var t;do{for(;t=st.shift();)try{re(t)}catch(n){C.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=en.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(re),e.__h.some(ot),e.__h=[]}catch(n){e.__h=[],C.__e(n,t.__v)}}}while(st.length)}C.__b=function(t){S=null,Kt&&Kt(t)},C.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),Yt&&Yt(t,e)},C.__r=function(t){Gt&&Gt(t),X=0;var e=(S=t.__c).__H;e&&(tt==S?S.__h=[]:(e.__h.some(re),e.__h.some(ot),X=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),tt=S},C.diffed=function(t){Jt&&Jt(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&Zt(en.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),tt=S=null},C.__c=function(t,e){e.some(function(n){try{n.__h.some(re),n.__h=n.__h.filter(function(s){return!s.__||ot(s)})}catch(s){n.__h=[function(){throw s}]}}),zt&&zt(t,e)},C.unmount=function(t){Xt&&Xt(t);var e,n,s=t.__c;s&&s.__H&&(s.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,Zt(st.push(o))}else re(o)}catch(r){e=r}}),s.__H=void 0,e&&C.__e(e,s.__v))};var Qt=typeof requestAnimationFrame=="function";function Gs(t){var e,n=function(){clearTimeout(s),Qt&&cancelAnimationFrame(e),setTimeout(t)},s=setTimeout(n,35);Qt&&(e=requestAnimationFrame(n))}function Zt(t){t!=1&&Bt==C.requestAnimationFrame||((Bt=C.requestAnimationFrame)||Gs)(Ks)}function re(t){var e=S,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),S=e}function ot(t){var e=S;t.__c=t.__(),S=e}function rt(t,e){return!t||t.length!=e.length||e.some(function(n,s){return!nt(n,t[s])})}function nn(t,e){return typeof e=="function"?e(t):e}function Ee({state:t}){return a`<span class=${`state state-${t}`}>${t}</span>`}function ae(t){if(t<1e3)return`${Math.round(t)} ms`;let e=t/1e3;if(e<60)return`${Number.isInteger(e)?e:e.toFixed(1)} s`;let n=Math.round(e);return`${Math.floor(n/60)} min ${n%60} s`}function sn(t,e){let n=Math.max(0,(e-Date.parse(t))/1e3);return Number.isFinite(n)?n<60?"now":n<3600?`${Math.floor(n/60)} min ago`:n<86400?`${Math.floor(n/3600)} h ago`:t.slice(0,10):""}function on(t){if(!t||t.input_tokens+t.output_tokens+t.calls===0)return"";let{input_tokens:e,cached_tokens:n,output_tokens:s,calls:o,cost:r,estimated:i}=t;return[`${i?"about ":""}${Oe(e)} tokens in${n>0?` (${Oe(n)} cached)`:""}`,`${Oe(s)} out`,`${o} ${o===1?"call":"calls"}`,...r===null?[]:[un(r)]].join(", ")}function rn(t){if(t===null||t.input_tokens+t.output_tokens===0)return"";let{input_tokens:e,output_tokens:n,cost:s,estimated:o}=t,r=`${o?"~":""}${Oe(e+n)} tokens`;return s===null?r:`${r}, ${un(s)}`}function Pe(t){if(t===null)return"";let{tools:e,deny_read:n,deny_write:s,deny_net:o,deny_run:r}=t,i=(l,u,d)=>d===!0?[l]:d===void 0||d.length===0?[]:[`${u} ${d.join(", ")}`];return[...i("reads nothing","does not read",n),...i("writes nothing","does not write",s),...i("no network","does not reach",o),...i("no programs","does not start",r),...e===void 0?[]:[e.length===0?"no tools":`only ${e.join(", ")}`]].join("; ")}function an(t){if(typeof t!="object"||t===null)return"";let n=Object.values(t).filter(s=>["string","number"].includes(typeof s)).map(String).map(s=>s.split(`
`)[0]).join("  ");return n.length>120?`${n.slice(0,119)}\u2026`:n}function ln(t){return t.split(/[,\n]/).map(e=>e.trim()).filter(e=>e!=="")}function Oe(t){return t<1e3?String(t):t<1e6?`${(t/1e3).toFixed(1)}k`:`${(t/1e6).toFixed(1)}M`}function un(t){return`$${t<1?t.toFixed(4):t.toFixed(2)}`}function cn({state:t,control:e}){let{list:{search:n,rows:s,next:o,isLoaded:r},route:i}=t,l=i.at==="run"?i.id:null;return a`<nav class="runs" aria-label="Runs">
    <a class="button primary new-run" href="#/">New run</a>
    <label class="search"><span class="unseen">Search runs</span>
      <input type="search" placeholder="Search runs" value=${n} onInput=${({currentTarget:d})=>void e.searchRuns(d.value)} /></label>
    <ul>${s.map(d=>a`<${Js} key=${d.id} row=${d} isShown=${d.id===l} />`)}</ul>
    ${r&&s.length===0&&a`<p class="hint">${n?"No run has these words.":"No run yet."}</p>`}
    ${o!==null&&a`<button type="button" class="quiet-button" onClick=${()=>void e.moreRuns()}>
      Show older runs</button>`}
  </nav>`}function Js({row:t,isShown:e}){return a`<li><a href=${xe(t.id)} aria-current=${e?"page":void 0}>
    <span class="row-task">${t.task||"(no words)"}</span>
    <span class="row-facts"><${Ee} state=${t.state} /><span>${sn(t.updated,Date.now())}</span></span>
    ${t.usage&&a`<span class="row-facts">${rn(t.usage)}</span>`}
  </a></li>`}var zs=/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i,Xs=/^\/runs\/[\w-]+\/files\/[^/?#\\]+$/;function fn(t){let e=URL.parse(t);return e&&["http:","https:","mailto:"].includes(e.protocol)?e.href:null}function dn(t){return zs.test(t)||Xs.test(t)?t:null}var Ys=/(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;function g(t){return t.replace(Ys,e=>`\u27E8U+${e.codePointAt(0).toString(16).toUpperCase().padStart(4,"0")}\u27E9`)}function Y({address:t,children:e}){let n=fn(t);return n===null?a`<span class="no-link">${e} <code>${g(t.slice(0,200))}</code></span>`:a`<a href=${n} title=${g(n)} target="_blank" rel="noopener noreferrer">${e}</a>`}var it=new Map,le=Rt(it);function pn({text:t}){let e=tn(le);return t.split(/(\[\d{1,3}\])/).map(n=>{let s=e.get(Number(n.slice(1,-1)));return n.startsWith("[")&&s!==void 0?a`<${Y} address=${s}>${n}<//>`:g(n)})}function H({text:t}){let[e,n]=$(!1),s=async()=>{await navigator.clipboard.writeText(t),n(!0),setTimeout(()=>n(!1),2e3)};return a`<button type="button" class="small" onClick=${()=>void s()}>${e?"Copied":"Copy"}</button>`}var mn=4e5;function R({text:t,label:e,lines:n=40}){let[s,o]=$(0),r=s===0?Qs(t,n):t.slice(0,s*mn),i=r.length<t.length;return a`<div class="folded">
    <pre tabindex="0" role="group" aria-label=${e}>${g(r)}</pre>
    ${i&&a`<button type="button" class="small" onClick=${()=>o(s+1)}>
      ${t.length<=mn?`Show all ${at(t)} lines`:`Show more of ${at(t)} lines`}
    </button>`}
    ${s>0&&a`
      <button type="button" class="small" onClick=${()=>o(0)}>Show less</button>
    `}
  </div>`}function Qs(t,e){let n=e*200,s=-1;for(let o=0;o<e;o++)if(s=t.indexOf(`
`,s+1),s<0)return t.slice(0,n);return at(t.slice(s))<=3?t.slice(0,n):t.slice(0,Math.min(s,n))}function at(t){return t.split(`
`).length}function _n(t){let e=new Map,n=0;for(;n<t.length;){let s=hn(t,n,"removed"),o=hn(t,n+s.length,"added");if(s.length===o.length)for(let[r,i]of s.entries())Zs(i,o[r],e);n+=Math.max(1,s.length+o.length)}return e}function hn(t,e,n){let s=e;for(;t[s]?.kind===n;)s++;return t.slice(e,s)}function Zs(t,e,n){let[s,o]=[t.text,e.text],r=Math.min(s.length,o.length),i=0;for(;i<r&&s[i]===o[i];)i++;let l=0;for(;l<r-i&&s.at(-1-l)===o.at(-1-l);)l++;i+l<r/3||(n.set(t,[i,s.length-l]),n.set(e,[i,o.length-l]))}var $n=/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;function gn(t){let e=[],n,s=t.replace(/\n$/,"").split(`
`);for(let[o,r]of s.entries())n&&(n.place.beforeLeft>0||n.place.afterLeft>0)?no(n,r):r.startsWith("diff --git ")?e.push(n=lt(r.replace(/^diff --git .* (?=\S+$)/,""))):r.startsWith("--- ")&&s[o+1]?.startsWith("+++ ")?((!n||n.lines.some(({kind:i})=>i==="place"))&&e.push(n=lt("")),n.path=eo(r,s[o+1])):$n.test(r)?(n||e.push(n=lt("")),to(n,r)):n&&!/^(?:index |\+\+\+ )/.test(r)&&r!==""&&yn(n,r);return e.filter(o=>o.lines.length>0).map(({path:o,lines:r})=>({path:o.replace(/^[ab]\//,""),lines:r,added:r.filter(({kind:i})=>i==="added").length,removed:r.filter(({kind:i})=>i==="removed").length}))}function bn(t){let e=t.replace(/\n$/,"").split(`
`);if(!e.every(i=>/^[-+ ]/.test(i)||i===""))return null;let n=e.map(i=>({kind:i.startsWith("+")?"added":i.startsWith("-")?"removed":"same",text:i.slice(1),before:0,after:0})),s=i=>n.filter(({kind:l})=>l===i).length,[o,r]=[s("added"),s("removed")];return o+r===0?null:{path:"",lines:n,added:o,removed:r}}function lt(t){return{path:t,lines:[],place:{before:0,after:0,beforeLeft:0,afterLeft:0}}}function eo(t,e){let[n,s]=[t,e].map(o=>o.slice(4).split("	")[0]);return s==="/dev/null"?n:s}function to({lines:t,place:e},n){let[,s,o="1",r,i="1"]=$n.exec(n);Object.assign(e,{before:Number(s),after:Number(r)}),Object.assign(e,{beforeLeft:Number(o),afterLeft:Number(i)}),t.push({kind:"place",text:n,before:0,after:0})}function no(t,e){let{lines:n,place:s}=t;if(e.startsWith("\\"))return yn(t,e);let o=e.startsWith("+")?"added":e.startsWith("-")?"removed":"same",r=o!=="added",i=o!=="removed";n.push({kind:o,text:e.slice(1),before:r?s.before:0,after:i?s.after:0}),r&&([s.before,s.beforeLeft]=[s.before+1,s.beforeLeft-1]),i&&([s.after,s.afterLeft]=[s.after+1,s.afterLeft-1])}function yn({lines:t},e){t.push({kind:"note",text:e,before:0,after:0})}var so=300,vn=1e3,oo=6e4,ue=2e3,ro={same:" ",added:"+",removed:"-",place:"",note:""};function q({text:t}){let e=M(()=>{let n=gn(t),s=n.length===0?bn(t):null;return s?[s]:n},[t]);return e.length===0?a`<${R} text=${t} label="Changes" />`:a`<div class="file-diffs">${e.map((n,s)=>a`<${io} key=${s} file=${n} />`)}</div>`}function io({file:{path:t,lines:e,added:n,removed:s}}){let[o,r]=$(ao(e));return a`<details class="file-diff" open=${o} onToggle=${({currentTarget:l})=>r(l.open)}>
    <summary><span class="file-path">${g(t)||"Changes"}</span>
      ${n+s>0&&a`
      <span class="added-count">+${n}<span class="unseen"> lines added,</span></span>
      <span class="removed-count">−${s}<span class="unseen"> lines removed</span></span>
    `}
    </summary>
    ${o&&a`<${lo} lines=${e} path=${t} />`}
  </details>`}function ao(t){return t.length<=so&&t.reduce((e,{text:n})=>e+n.length,0)<=oo}function lo({lines:t,path:e}){let[n,s]=$(vn),o=M(()=>_n(t),[t]),r=M(()=>t.some(({before:i,after:l})=>i+l>0),[t]);return a`<div class="diff-scroll" tabindex="0" role="group" aria-label=${`Changes of ${g(e)}`}>
    <table class="diff-lines"><tbody>${t.slice(0,n).map((i,l)=>a`
        <tr key=${l} class=${`diff-${i.kind}`}>
          ${r&&a`
            <td class="line-number" data-number=${i.before||""}></td>
            <td class="line-number" data-number=${i.after||""}></td>
          `}
          <td class="line-sign">${ro[i.kind]}</td>
          <td class="line-text">${uo(i,o.get(i))}</td>
        </tr>
      `)}</tbody></table>
    ${n<t.length&&a`<button type="button" class="small" onClick=${()=>s(n+vn)}>
      Show more of ${t.length-n} lines
    </button>`}
  </div>`}function uo({text:t,kind:e},n){if(!n||n[0]>=n[1])return g(ut(t));let[s,o]=n,r=g(ut(t.slice(s,o))),i=e==="added"?a`<ins>${r}</ins>`:a`<del>${r}</del>`,l=t.slice(0,s),u=l.length>ue?`\u2026${l.slice(-ue)}`:l;return[g(u),i,g(ut(t.slice(o)))]}function ut(t){return t.length<=ue?t:`${t.slice(0,ue)}\u2026 (${t.length-ue} more characters)`}var co=/\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i,fo={added:["after"],modified:["before","after"],deleted:["before"]};function wn({id:t,changed:e,version:n}){let s=e.filter(({path:o})=>co.test(o));return s.length===0?null:a`<section class="changed-pictures" aria-label="Changed pictures">${s.map(({path:o,status:r})=>a`
        <div key=${o} class="picture-pair">
          <h2 class="small-head path">${o}</h2>
          <div class="sides">${fo[r].map(i=>a`
              <figure key=${i}>
                <img src=${po(t,o,{side:i,version:n})} alt=${`${o}, ${i}`} loading="lazy" />
                <figcaption class="hint">${i==="before"?"Before":"Now"}</figcaption>
              </figure>
            `)}</div>
        </div>
      `)}</section>`}function po(t,e,{side:n,version:s}){let o=e.split("/").map(encodeURIComponent).join("/");return`${O(t)}/changed/${o}?side=${n}#${encodeURIComponent(s)}`}function kn({control:t,now:e}){let[n,s]=$(null),[o,r]=$(null),{id:i,updated:l}=e;if(k(()=>{let p=!1;return t.attempt(Promise.all([t.api.files(i),t.api.diff(i)])).then(f=>{f&&!p&&s({files:f[0],diff:f[1]})}),()=>void(p=!0)},[i,l,o]),!n)return a`<p class="hint">Reading the changes…</p>`;let{files:{changed:u,artifacts:d,waits:c=!1},diff:m}=n;return a`<div class="changes">
    ${o&&a`<${_o} undone=${o} />`}
    ${u.length===0&&!o&&a`<p class="hint">The run changed no file.</p>`}
    <ul class="changed">${u.map(({path:p,status:f,added:_,removed:y})=>a`<li key=${p}><span class=${`status status-${f}`}>${f}</span> <code>${p}</code>
        ${_!==null&&a`<span class="plus">+${_}</span>`}
        ${y!==null&&a`<span class="minus">−${y}</span>`}</li>`)}</ul>
    ${e.can.undo&&u.length>0&&a`<${ho} control=${t} id=${i} onDone=${r} />`}
    ${c&&a`<${mo} id=${i} />`}
    ${!c&&a`
      <${wn} id=${i} changed=${u}
        version=${`${l} ${o?.done.length??""}`} />
    `}
    ${m&&a`<${q} text=${m} />`}
    ${d.length>0&&a`<${$o} id=${i} artifacts=${d} />`}
  </div>`}function mo({id:t}){let e=`bulkhead apply ${t}`;return a`
    <p class="hint">
      These changes are in a copy of the folder. Bring them in with <code>${e}</code>
      <${H} text=${e} />
    </p>
  `}function ho({control:t,id:e,onDone:n}){let s=E(null),o=async()=>{s.current?.close();let r=await t.attempt(t.api.undo(e));r&&n(r)};return a`
    <div class="undo">
      <button type="button" class="danger" onClick=${()=>s.current?.showModal()}>Undo all changes…</button>
      <dialog ref=${s} aria-labelledby="undo-title">
        <h2 id="undo-title">Undo all changes?</h2>
        <p>All files get back what was in them before the run. Files that were changed later are left as they are.</p>
        <div class="actions">
          <button type="button" class="danger" onClick=${()=>void o()}>Undo</button>
          <button type="button" onClick=${()=>s.current?.close()}>Keep the changes</button>
        </div>
      </dialog>
    </div>
  `}function _o({undone:{done:t,refused:e}}){let n=E(null);return A(()=>n.current?.focus(),[]),a`
    <div class="undone" role="status" tabindex="-1" ref=${n}>
      <p>${t.length>0?"The changes are undone.":"Nothing was undone."}</p>
      <ul>
          ${t.map(({path:s,action:o})=>a`<li key=${s}><code>${s}</code> ${o==="remove"?"was removed":"was put back"}</li>`)}
          ${e.map(({path:s,reason:o})=>a`<li key=${s}><code>${s}</code>: ${o}</li>`)}
        </ul>
    </div>
  `}function $o({id:t,artifacts:e}){return a`
    <section>
      <h2 class="small-head">Files of the session</h2>
      <ul class="artifacts">${e.map(({name:n,type:s,bytes:o})=>{let r=`${O(t)}/files/${n.split("/").map(encodeURIComponent).join("/")}`;return a`<li key=${n}><a href=${r} target="_blank" rel="noopener">${n}</a>
        <span class="hint">${Math.ceil(o/1024)} KiB</span>
        ${s.startsWith("image/")&&a`<img src=${r} alt=${n} loading="lazy" />`}</li>`})}</ul>
    </section>
  `}var go={not_started:"\u25CB",in_progress:"\u25D0",completed:"\u25CF",blocked:"\u2715"};function xn({plan:t}){let e=t.steps.filter(({status:n})=>n==="completed").length;return a`
    <details class="plan" open>
      <summary><b>${t.title||"Plan"}</b> <span class="hint">${e} of ${t.steps.length} done</span></summary>
      <ol>${t.steps.map(({text:n,status:s,notes:o},r)=>a`<li key=${r} class=${`step step-${s}`} aria-current=${s==="in_progress"?"step":void 0}>
        <span class="step-sign" aria-hidden="true">${go[s]}</span>
        <span>${n} <span class="unseen">(${s.replaceAll("_"," ")})</span>
          ${o&&a`<span class="hint">${o}</span>`}</span></li>`)}</ol>
    </details>
  `}var Sn=null,ct=!1,Re=[];function Le(t,e,n){return new Promise(s=>{Re.push({job:{kind:t,asked:e},signal:n,resolve:s}),Cn()})}async function Cn(){if(ct||Re.length===0)return;ct=!0;let t=Math.max(0,Re.findIndex(({job:o})=>o.kind==="blocks")),[{job:e,signal:n,resolve:s}]=Re.splice(t,1);s(n.aborted?null:await bo(e,n)),ct=!1,Cn()}function bo(t,e){return new Promise(n=>{let s,o=Sn??=new Worker("./reader.js",{type:"module"}),r=l=>{clearTimeout(s),e.removeEventListener("abort",i),n(l)},i=()=>{o.terminate(),Sn=null,r(null)};e.addEventListener("abort",i),o.onmessage=({data:l})=>{"answer"in l?r(l.answer):s=setTimeout(i,2e3)},o.onerror=i,o.postMessage(t)})}function Ae(t,e){let n=e&&JSON.stringify(e),[s,o]=$(null);return k(()=>{if(e===null||n===null)return;let r=new AbortController;return Le(t,e,r.signal).then(i=>{r.signal.aborted||o({key:n,answer:i})}),()=>r.abort()},[n]),s!==null&&s.key===n?s.answer:null}function ce({text:t,language:e,isOpen:n}){let s=Ae("colours",n||e===""?null:{text:t,language:e});return a`
    <div class="code-block">
      <div class="code-head"><span>${g(e.slice(0,30))}</span><${H} text=${t} /></div>
      <pre tabindex="0" role="group" aria-label=${e?`Code, ${g(e.slice(0,30))}`:"Code"}><code>${s?.map((o,r)=>a`<span key=${r} class=${o.classes}>${g(o.text)}</span>`)??g(t)}</code></pre>
    </div>
  `}function Tn({text:t,isOpen:e}){let n=Ae("diagram",e?null:{text:t});return n===null?a`<${ce} text=${t} language="mermaid" isOpen=${e} />`:a`
    <figure class="diagram">
      <img src=${n} alt="Diagram; its source is below." />
      <details>
        <summary>Source</summary>
        <${ce} text=${t} language="mermaid" isOpen=${!1} />
      </details>
    </figure>
  `}var yo=4e3;function Ne({tex:t,isBlock:e}){let n=E(null);return k(()=>{let s=n.current;if(!s||t.length>yo)return;let o=!1;return import("./draw_formula.js").then(({drawFormula:r})=>{o||r(t,e,s)},()=>{}),()=>{o=!0}},[t,e]),a`
    <span key=${t} class=${e?"formula formula-block":"formula"} ref=${n}
      tabindex=${e?0:void 0}>${g(t)}</span>
  `}var En={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:"\xA0",copy:"\xA9",reg:"\xAE",trade:"\u2122",hellip:"\u2026",mdash:"\u2014",ndash:"\u2013",times:"\xD7",middot:"\xB7",bull:"\u2022",deg:"\xB0",plusmn:"\xB1",larr:"\u2190",rarr:"\u2192",uarr:"\u2191",darr:"\u2193",le:"\u2264",ge:"\u2265",ne:"\u2260",euro:"\u20AC",sect:"\xA7"};function De(t){return t.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,(e,n,s,o)=>{if(o!==void 0)return Object.hasOwn(En,o)?En[o]:e;let r=n===void 0?parseInt(s,16):Number(n);return r>0&&r<=1114111?String.fromCodePoint(r):"\uFFFD"})}function N({tokens:t}){return t?.map(vo)}function vo(t){switch(t.type){case"strong":return a`<strong><${N} tokens=${t.tokens} /></strong>`;case"em":return a`<em><${N} tokens=${t.tokens} /></em>`;case"del":return a`
        <del>
          <${N} tokens=${t.tokens} />
        </del>
      `;case"codespan":return a`<code>${g(t.text)}</code>`;case"br":return a`<br />`;case"link":return a`
        <${Y} address=${De(t.href)}>
          <${le.Provider} value=${it}>
            <${N} tokens=${t.tokens} />
            <//>
            <//>
      `;case"image":return wo(De(t.href),t.text);case"inlineFormula":return a`<${Ne} tex=${t.tex} isBlock=${t.isBlock} />`;case"checkbox":return null;case"html":return/^<br\s*\/?>$/i.test(t.raw.trim())?a`<br />`:g(t.raw);case"escape":return g(t.text);default:return"tokens"in t&&t.tokens?a`<${N} tokens=${t.tokens} />`:a`<${pn} text=${De("text"in t?String(t.text):t.raw)} />`}}function wo(t,e){let n=dn(t);return n!==null?a`<img src=${n} alt=${g(e)} loading="lazy" />`:a`<${Y} address=${t}>Picture${e&&`: ${g(e)}`}<//>`}var fe=class extends Q{shouldComponentUpdate({block:e,isOpen:n}){let{props:s}=this;return n!==s.isOpen||e.type!==s.block.type||e.raw!==s.block.raw}render({block:e,isOpen:n}){return ko(e,n)}};function ko(t,e){switch(t.type){case"space":case"def":return null;case"heading":return W(`h${Math.min(6,t.depth+1)}`,null,W(N,{tokens:t.tokens}));case"paragraph":return a`
        <p>
          <${N} tokens=${t.tokens} />
        </p>
      `;case"code":return xo(t,e);case"blockFormula":return a`<${Ne} tex=${t.tex} isBlock=${!0} />`;case"hr":return a`<hr />`;case"blockquote":return a`<blockquote>${On(t.tokens,e)}</blockquote>`;case"list":return So(t,e);case"table":return Co(t);case"html":return a`<p class="plain-text">${g(t.raw.trimEnd())}</p>`;default:return a`<${N} tokens=${"tokens"in t&&t.tokens?t.tokens:[t]} />`}}function On(t,e){return t?.map((n,s)=>a`<${fe} key=${s} block=${n} isOpen=${e&&s===t.length-1} />`)}function xo({text:t,lang:e,raw:n},s){let o=/^[\w+#.-]*/.exec(e??"")[0].toLowerCase(),r=s&&!/\n {0,3}(?:```+|~~~+)[ \t]*\n*$/.test(n);return W(o==="mermaid"?Tn:ce,{text:t,language:o,isOpen:r})}function So({ordered:t,start:e,items:n},s){let o=n.map((r,i)=>a`<li key=${i} class=${r.task?"task":void 0}>
      ${r.task&&a`
        <input type="checkbox" disabled checked=${r.checked}
          aria-label=${r.checked?"Done":"Not done"} />
      `}
      ${On(r.tokens,s&&i===n.length-1)}</li>`);return t?a`<ol start=${e===""?1:e}>${o}</ol>`:a`<ul>${o}</ul>`}function Co({header:t,rows:e}){let n=(s,o)=>s.map(({tokens:r,align:i},l)=>W(o,{key:l,class:i?`cell-${i}`:void 0,scope:o==="th"?"col":void 0},W(N,{tokens:r})));return a`
    <div class="table-scroll" tabindex="0" role="group" aria-label="Table">
      <table>
        <thead>
          <tr>${n(t,"th")}</tr>
        </thead>
        <tbody>${e.map((s,o)=>a`<tr key=${o}>${n(s,"td")}</tr>`)}</tbody>
      </table>
    </div>
  `}async function Pn({text:t,isOpen:e,before:n},s){let o=n!==null&&t.startsWith(n.text);if(o&&n.blocks===null)return{text:t,isOpen:e,blocks:null};let r=o?To(n):[],i=r.reduce((d,{raw:c})=>d+c.length,0),l=await s({text:t.slice(i),isOpen:e}),u=l&&[...r,...l];return{text:t,isOpen:e,blocks:u&&gt(u)?u:null}}function To({text:t,blocks:e}){if(!e||e.some(({type:o})=>o==="def"))return[];let n=e.reduce((o,{raw:r})=>o+r.length,0)===t.length,s=e.flatMap(({type:o},r)=>o==="space"?[]:[r]);return n?e.slice(0,s.at(-2)??0):[]}var Eo=3e5;function de({text:t,streaming:e=!1}){return t.length>Eo?a`<${R} text=${t} label="Text" />`:a`<${Oo} text=${t.replace(/\r\n?/g,`
`)} streaming=${e} />`}function Oo({text:t,streaming:e}){let n=Po(t,e);if(!n?.blocks)return a`<${R} text=${t} label="Text" />`;let{blocks:s,isOpen:o}=n,r=s.findLastIndex(({type:i})=>i!=="space");return a`<div class="prose">${s.map((i,l)=>a`<${fe} key=${l} block=${i} isOpen=${o&&l===r} />`)}</div>`}function Po(t,e){let[n,s]=$(null),[o,r]=$(!1),[i]=$(()=>new AbortController);return k(()=>()=>i.abort(),[i]),k(()=>{o||n?.text===t&&n.isOpen===e||(r(!0),Pn({text:t,isOpen:e,before:n},l=>Le("blocks",l,i.signal)).then(l=>{s(l),r(!1)}))},[t,e,n,o]),n&&t.startsWith(n.text)?n:null}function Rn(t){let[e,n]=$(t.value);return k(()=>(n(t.value),t.listen(()=>n(t.value))),[t]),e}function ee(t){return t.key!=="Enter"||t.isComposing||t.keyCode===229?!1:t.ctrlKey||t.metaKey?!0:!t.shiftKey&&!t.altKey&&!matchMedia("(pointer: coarse)").matches}function Ln(t){let{question:{kind:e,text:n}}=t;return a`<section class="question" aria-label=${e==="consent"?"Consent is needed":"A question"}>
    <h2>${e==="consent"?"Allow this call?":"The run asks"}</h2>
    <${de} text=${n} />
    ${e==="consent"?a`<${Lo} ...${t} />`:a`<${Ro} ...${t} />`}
  </section>`}function An(){let t=E(null);return A(()=>{document.activeElement?.matches("body, #panel")&&t.current?.focus()},[]),t}function Ro({question:{id:t},onAnswer:e}){let[n,s]=$(""),o=An(),[r,i]=$(!1),l=async u=>{u.preventDefault(),!(n.trim()===""||r)&&(i(!0),await e({question:t,answer:n}),i(!1))};return a`
    <form onSubmit=${l}>
      <label class="field"><span class="field-name">Your answer</span>
          <textarea rows="3" value=${n} ref=${o}
            onInput=${({currentTarget:u})=>s(u.value)}
            onKeyDown=${u=>ee(u)&&void l(u)}></textarea></label>
      <div class="actions"><button type="submit" class="primary" disabled=${n.trim()===""||r}>
          Answer</button></div>
    </form>
  `}function Lo({question:t,onAnswer:e}){let{id:n,text:s,tool:o,input:r,change:i,targets:l=[],always:u,until:d}=t,[c,m]=$(""),[p,f]=$(!1),_=async b=>{if(p)return;f(!0);let h=c.trim();await e({question:n,consent:b,...b==="no"&&h!==""&&{reason:h}}),f(!1)},y=b=>{b.target instanceof HTMLInputElement||b.ctrlKey||b.metaKey||b.altKey||(b.key==="y"&&_("once"),b.key==="a"&&u&&_("run"),b.key==="n"&&_("no"))},v=An();return a`<div class="consent" ref=${v} tabindex="-1" onKeyDown=${y}>
    ${o&&!s.includes(o)&&a`<p><code>${o}</code></p>`}
    ${l.length>0&&a`<ul class="targets">${l.map((b,h)=>a`<li key=${h}>${No(b)}</li>`)}</ul>`}
    ${i?a`<${q} text=${i} />`:r!==void 0&&a`<pre tabindex="0" role="group" aria-label="Arguments">${JSON.stringify(r,null,2)}</pre>`}
    <label class="field"><span class="field-name">Reason, if you refuse</span>
      <input type="text" value=${c} placeholder="The model reads it"
        onInput=${({currentTarget:b})=>m(b.value)} /></label>
    <div class="actions">
      <button type="button" class="primary" disabled=${p} onClick=${()=>void _("once")}>
        Allow once <kbd>y</kbd></button>
      ${u&&a`<button type="button" disabled=${p} title=${u} onClick=${()=>void _("run")}>
        Allow in this run <kbd>a</kbd></button>`}
      <button type="button" class="danger" disabled=${p} onClick=${()=>void _("no")}>
        Refuse <kbd>n</kbd></button>
    </div>
    ${u&&a`<p class="hint">“Allow in this run” covers: ${u}</p>`}
    ${d&&a`<${Ao} until=${d} />`}
  </div>`}function Ao({until:t}){let[e,n]=$(Date.now());k(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(o)},[]);let s=Math.max(0,Math.ceil((Date.parse(t)-e)/1e3))*1e3;return a`<p class="hint">Without an answer it counts as refused in ${ae(s)}.</p>`}function No(t){return typeof t!="object"||t===null?String(t):Object.values(t).filter(e=>typeof e!="object").map(String).join(" ")}var Dn=["image/png","image/jpeg","image/webp","image/gif"],Do=25*1024*1024,Mo=38*1024*1024,Nn=12,Me={pictures:[],problem:""};function Ie(){let[t,e]=$(Me);return{...t,async add(n){let s=[...n],o=s.filter(({type:l,size:u})=>Dn.includes(l)&&u<=Do),r=s.find(l=>!o.includes(l));e(({pictures:l})=>({...Me,pictures:l}));let i=await Promise.all(o.map(Fo));e(({pictures:l,problem:u})=>Io([...l,...i],{refused:r,problem:u}))},remove:n=>e(({pictures:s})=>({...Me,pictures:s.filter((o,r)=>r!==n)})),clear:()=>e(Me)}}function Io(t,{refused:e,problem:n}){let s=0,o=t.slice(0,Nn).filter(({data_url:r})=>(s+=r.length)<=Mo);return e?{pictures:o,problem:`${e.name} is left out: take PNG, JPEG, WebP or GIF with at most 25 MiB.`}:o.length===t.length?{pictures:o,problem:n}:{pictures:o,problem:`At most ${Nn} pictures with 28 MiB together go with a prompt.`}}function Fo(t){return new Promise((e,n)=>{let s=new FileReader;s.onload=()=>e({name:t.name,data_url:String(s.result)}),s.onerror=()=>n(s.error),s.readAsDataURL(t)})}function Fe({add:t}){let e=(n,s)=>{s.length!==0&&(n.preventDefault(),t(s))};return{onPaste:n=>{let s=n.clipboardData;s&&!s.types.includes("text/plain")&&e(n,[...s.files])},onDrop:n=>e(n,[...n.dataTransfer?.files??[]]),onDragOver:n=>{n.dataTransfer?.types.includes("Files")&&n.preventDefault()}}}function je({add:t}){let e=({currentTarget:n})=>{t([...n.files??[]]),n.value=""};return a`<label class="button quiet-button">
    <input class="unseen" type="file" multiple accept=${Dn.join(",")} onChange=${e} />Add pictures
  </label>`}function We({pictures:t,problem:e,remove:n}){return t.length===0&&e===""?null:a`<div class="pictures">
    ${t.map(({name:s="Picture",data_url:o},r)=>a`
        <figure key=${r}>
          <img src=${o} alt=${s} />
          <button type="button" aria-label=${`Remove ${s}`} onClick=${()=>n(r)}>×</button>
        </figure>
      `)}
    ${e&&a`<p class="hint warning" role="alert">${e}</p>`}
  </div>`}function Mn({id:t,control:e}){let[n,s]=$(""),[o,r]=$(!1),i=Ie(),l=async u=>{if(u.preventDefault(),o)return;r(!0);let d=await e.resume(t,{...n.trim()!==""&&{prompt:n},...i.pictures.length>0&&{images:[...i.pictures]}});r(!1),d&&(s(""),i.clear())};return a`
    <form class="resume prompt-box" onSubmit=${l} ...${Fe(i)}>
      <label class="unseen" for="more">What to do next</label>
      <textarea id="more" rows="2" placeholder="What to do next. Leave it empty to go on." value=${n}
        onInput=${({currentTarget:u})=>s(u.value)}
        onKeyDown=${u=>ee(u)&&void l(u)}></textarea>
      <${We} ...${i} />
      <div class="actions"><${je} ...${i} />
          <button type="submit" class="primary" disabled=${o}>Resume</button></div>
    </form>
  `}function In({sources:t}){return t?t.length===0?a`<p class="hint">The run used no sources.</p>`:a`<ol class="sources">${t.map(({number:e,title:n,url:s})=>a`<li key=${e} value=${e}>${ft(s)?a`<a href=${s} target="_blank" rel="noopener noreferrer">${n||s}</a>`:n||s}<span class="hint path">${s}</span></li>`)}</ol>`:a`<p class="hint">Reading the sources…</p>`}function ft(t){return/^https?:/.test(t)}var Fn=["not_started","in_progress","completed","blocked"];function Un(t,e){if(pe(t)){let n=Object.values(t).find(Ue);if(n!==void 0)return{kind:"diff",text:n};let s=Wn(t,i=>typeof i.url=="string");if(s)return{kind:"pages",pages:s.map(Uo)};let o=Wn(t,i=>Wo(i.status)&&typeof i.text=="string");if(o)return{kind:"steps",steps:o};let r=jo(t)??Object.values(t).find(jn);if(r!==void 0)return{kind:"terminal",text:r}}return Ue(e)?{kind:"diff",text:e}:jn(e)?{kind:"terminal",text:e}:{kind:"text"}}function Ue(t){return typeof t=="string"&&/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(t)&&/^(?:---|diff --git|@@) /.test(t)}function pe(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)}function jo({session_id:t,output:e}){return typeof t=="string"&&typeof e=="string"&&e.trim()!==""?e:void 0}function jn(t){return typeof t=="string"&&t.includes("\x1B[")}function Wo(t){return Fn.some(e=>e===t)}function Wn(t,e){let n=Object.values(t);return[...n,...n.filter(pe).flatMap(r=>Object.values(r))].find(r=>Array.isArray(r)&&r.length>0&&r.every(i=>pe(i)&&e(i)))??null}function Uo({url:t,title:e,snippet:n,number:s}){return{url:String(t),title:typeof e=="string"&&e!==""?e:String(t),snippet:typeof n=="string"?n:"",number:typeof s=="number"?s:null}}var Ho=80;function Hn({tool:t,input:e}){if(!pe(e))return a`<${R} text=${JSON.stringify(e,null,2)??""} label=${`Arguments of ${t}`} />`;let n=Object.keys(e);return n.length===0?a`<p class="hint">None.</p>`:a`<dl class="arguments">${n.map(s=>{let o=qo(e[s]),r=o.length<=Ho&&!o.includes(`
`);return a`
        <div key=${s} class=${r?"short-argument":void 0}>
          <dt>${g(s)}</dt>
          <dd>${r?a`<code>${g(o)}</code>`:Vo(s,o)}</dd>
        </div>
      `})}</dl>`}function qo(t){return typeof t=="string"?t:JSON.stringify(t,null,2)??""}function Vo(t,e){return Ue(e)?a`<${q} text=${e} />`:a`<${R} text=${e} label=${t} lines=${12} />`}var Bo=/^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/,Ko=/\.(?:png|jpe?g|gif|webp|avif|svg)$/i;function He({tool:t,result:{images:e,artifacts:n},run:s}){let o=e.filter(({mime_type:u})=>Bo.test(u)).map(({mime_type:u,data:d},c)=>({source:`data:${u};base64,${d}`,words:`Picture ${c+1} of ${t}`})),i=(s===void 0||o.length>0?[]:n.filter(({name:u})=>Ko.test(u))).map(({name:u})=>({source:`/runs/${encodeURIComponent(s)}/files/${encodeURIComponent(u)}`,words:u})),l=[...o,...i];return l.length===0?null:a`<div class="result-pictures">${l.map(({source:u,words:d})=>a`<img key=${u} src=${u} alt=${g(d)} loading="lazy" />`)}</div>`}var Gn=$s(Vn());var te="\x1B",Bn="\x07",Jo=new RegExp(`${te}[\\]PX^_][^${Bn}${te}]*(?:${Bn}|${te}\\\\)?|${te}\\[[0-9;?<=>!]*[@-ln-~]|${te}[()][A-Z0-9]|${te}[=>78cDEHMNOZ]`,"g"),Jn=/^\d{1,3}, ?\d{1,3}, ?\d{1,3}$/,zo=.24,Xo=2e5;function zn({text:t}){let e=t.slice(0,Xo),n=Gn.default.ansiToJson(Yo(e.replace(Jo,"")),{json:!0,remove_empty:!0});return a`<pre class="screen" tabindex="0" role="group" aria-label="Terminal">${n.map(({content:s,fg:o,bg:r,decorations:i},l)=>a`
        <span key=${l} class=${i.map(u=>`screen-${u}`).join(" ")}
          style=${{color:r?Kn(o):Qo(o),backgroundColor:Kn(r)}}>${g(s)}</span>
      `)}${e.length<t.length&&`
\u2026`}</pre>`}function Yo(t){return t.split(`
`).map(e=>{let n=e.replace(/\r+$/,"");return n.slice(n.lastIndexOf("\r")+1)}).join(`
`)}function Kn(t){return t&&Jn.test(t)?`rgb(${t})`:void 0}function Qo(t){if(!t||!Jn.test(t))return;let e=t.split(",").map(Number);for(;Zo(e)<zo;)e=e.map(n=>n+(255-n)/4);return`rgb(${e.map(Math.round).join(", ")})`}function Zo(t){let[e=0,n=0,s=0]=t.map(o=>(o/255)**2.2);return .2126*e+.7152*n+.0722*s}function Xn({pages:t}){return a`<ul class="page-list">${t.map(({url:e,title:n,snippet:s,number:o},r)=>a`
        <li key=${r}>
          <p class="page-line">
              ${o!==null&&a`
                <span class="source-number">[${o}]</span>
              `}
              <${Y} address=${e}>${g(n)}<//>
              ${n!==e&&a`
                <span class="hint">${er(e)}</span>
              `}
              </p>${s&&a`<p class="hint">${g(s.slice(0,400))}</p>`}
            </li>
      `)}</ul>`}function er(t){return URL.parse(t)?.host??""}var Yn={not_started:["\u25CB","Not started"],in_progress:["\u25D0","In progress"],completed:["\u25CF","Done"],blocked:["\u2715","Blocked"]};function Qn({steps:t}){return a`<ol class="step-list">${t.map(({text:e,status:n},s)=>a`<li key=${s} class=${`step-${n}`}>
      <span aria-hidden="true">${Yn[n][0]}</span>
      <span class="unseen">${Yn[n][1]}:</span> ${g(e)}</li>`)}</ol>`}function Zn({tool:t,result:e,run:n}){let{text:s,error:o,artifacts:r,warnings:i}=e,l=Un(e.result,s);return a`<div class="result">
    ${o&&a`<${tr} error=${o} />`}
    ${nr(l)}
    ${sr(l,s,o)}
    <${He} tool=${t} result=${e} run=${n} />
    ${r.length>0&&a`<${or} artifacts=${r} run=${n} />`}
    ${i.map((u,d)=>a`<p class="warning" key=${d}>${g(u)}</p>`)}
    <${es} value=${e.result} />
  </div>`}function tr({error:{code:t,message:e,retryable:n,details:s}}){let o=Object.keys(s).length>0;return a`<div class="failure">
    <p class="error-text"><b>${t}</b> ${g(e)}</p>
    ${n&&a`<p class="hint">The same call may succeed later.</p>`}
    ${o&&a`<${es} value=${s} words="Details" />`}
  </div>`}function nr(t){switch(t.kind){case"diff":return a`<${q} text=${t.text} />`;case"pages":return a`<${Xn} pages=${t.pages} />`;case"steps":return a`<${Qn} steps=${t.steps} />`;case"terminal":return a`<${zn} text=${t.text} />`;case"text":return null}}function sr(t,e,n){return e===""||n&&e.includes(n.message)?null:t.kind==="text"?a`<${R} text=${e} label="Result" />`:a`
    <details class="more">
      <summary>What the model saw</summary>
      <${R} text=${e} label="What the model saw" />
    </details>
  `}function or({artifacts:t,run:e}){return a`<ul class="result-files">${t.map(({name:n,bytes:s})=>a`<li key=${n}>${e===void 0?g(n):a`
          <a href=${`/runs/${encodeURIComponent(e)}/files/${encodeURIComponent(n)}`} target="_blank"
            rel="noopener noreferrer">${g(n)}</a>
        `} <span class="hint">${s} bytes</span></li>`)}</ul>`}function es({value:t,words:e="Output as JSON"}){return typeof t!="object"||t===null?null:a`
    <details class="more">
      <summary>${e}</summary>
      <${R} text=${JSON.stringify(t,null,2)} label=${e} />
    </details>
  `}function ts({call:t,runId:e,isAtWork:n}){let{tool:s,input:o,result:r,refusals:i,progress:l}=t,[u,d]=$(!1),c=({currentTarget:m})=>d(m.open);return a`<details class=${`call call-${ar(t,n)}`} onToggle=${c}>
    <summary>
      <${rr} tool=${s} />
      <span class="call-input">${g(ir(o,r?.metadata.summary))}</span>
      <span class="call-facts"><${lr} call=${t} isAtWork=${n} /></span>
    </summary>
    ${u&&a`<${cr} call=${t} runId=${e} />`}
  </details>
  ${l&&!r&&n&&a`<${dr} progress=${l} />`}
  ${i.map((m,p)=>a`<${pr} key=${p} refusal=${m} />`)}
  ${!u&&r&&a`<${He} tool=${s} result=${r} run=${e} />`}`}function rr({tool:t}){let e=t.lastIndexOf("/")+1;return a`
    <span class="call-name">${e>0&&a`<span class="call-set">${t.slice(0,e)}</span>`}${t.slice(e)}</span>
  `}function ir(t,e){return[an(t),e].filter(n=>n).join(" \u2192 ")}function ar({result:t},e){return t?t.ok?"done":"failed":e?"running":"lost"}function lr({call:{result:t,started:e,isRecorded:n},isAtWork:s}){if(t){let o=t.ok?"":`${t.error?.code??"failed"} \xB7 `;return a`${o}${ae(t.metadata.duration_ms)}${n?" \xB7 recorded":""}`}return s?a`<${ur} since=${e} />`:a`did not end`}function ur({since:t}){let[e,n]=$(Date.now());return k(()=>{let s=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(s)},[]),a`<span class="busy">${ae(Math.max(0,e-Date.parse(t)))}</span>`}function cr({call:{tool:t,input:e,result:n,programs:s},runId:o}){return a`<div class="call-body">
    <p class="small-head">Arguments</p>
    <${Hn} tool=${t} input=${e} />
    ${s.length>0&&a`<${fr} programs=${s} />`}
    <p class="small-head">Result</p>
    ${n?a`<${Zn} tool=${t} result=${n} run=${o} />`:a`<p class="hint">There is none yet.</p>`}
  </div>`}function fr({programs:t}){return a`
    <p class="small-head">Programs</p>
    <ul class="programs">${t.map(({program:e,words:n,sandboxed:s,end:o})=>a`<li key=${e}><code>${n}</code>
        <span class="hint">${s?"in the sandbox":"without a sandbox"}, ${o??"runs"}</span></li>`)}</ul>
  `}function dr({progress:t}){let{message:e,output:n,done:s,total:o}=t;return a`<div class="progress">
    ${e&&a`<span class="hint">${e}</span>`}
    ${s!==void 0&&o!==void 0&&a`<progress value=${s} max=${o} aria-label="Progress">${s} of ${o}</progress>`}
    ${n&&a`<pre class="last-lines">${n}</pre>`}
  </div>`}function pr({refusal:{text:t,flag:e}}){return a`<div class="refusal"><p><b>Refused.</b> ${t}.</p>
    ${e&&a`<p>Allow it with <code>${e}</code> when the server starts. <${H} text=${e} /></p>`}
  </div>`}var pt=200;function ns({items:t,...e}){let{isAtWork:n}=e,[s,o]=$(pt);hr(t,n);let r=Math.max(0,t.length-s);return a`<div class="transcript">
    ${r>0&&a`<button type="button" class="quiet-button" onClick=${()=>o(s+pt)}>
      Show ${Math.min(r,pt)} of ${r} earlier lines</button>`}
    ${t.slice(r).map(i=>a`<${_r} key=${i.key} item=${i} ...${e} />`)}
  </div>`}var mr=120;function hr(t,e){let n=E(!0);A(()=>{let s=()=>{let{scrollHeight:o,clientHeight:r,scrollTop:i}=document.documentElement;n.current=o-r-i<mr};return addEventListener("scroll",s,{passive:!0}),()=>removeEventListener("scroll",s)},[]),A(()=>{e&&n.current&&scrollTo({top:document.documentElement.scrollHeight})},[t,e])}function _r({item:t,runId:e,isAtWork:n}){return M(()=>a`<div class=${`item item-${t.kind}`}>${$r(t,{runId:e,isAtWork:n})}</div>`,[t,n,e])}function $r(t,e){switch(t.kind){case"text":return a`<${de} text=${t.text} streaming=${t.isOpen} />`;case"call":return a`<${ts} call=${t.call} ...${e} />`;case"said":return a`<p class="said">${t.text}</p>`;case"note":return a`<p class=${`note ${t.tone}`}>${t.text}</p>`;case"end":return a`<${gr} end=${t.end} />`}}function gr({end:{reason:t,answer:e,changed:n,refused:s}}){return a`<div class="end">
    ${e!==null&&a`<${de} text=${e} />`}
    <p class="note">Ended: ${t.replaceAll("_"," ")}${n.length>0&&a`, ${n.length} ${n.length===1?"file":"files"} changed`}.</p>
    ${s.length>0&&a`
      <details class="refused">
        <summary>${s.length} refused</summary>
        <ul>${s.map(({tool:o,message:r,flags:i},l)=>a`<li key=${l}><b>${o}</b> ${r}
          ${i.length>0&&a`<span><code>${i.join(" ")}</code> <${H} text=${i.join(" ")} /></span>`}</li>`)}</ul>
      </details>
    `}
  </div>`}function ss(t,e,n){let[s,o]=$(null),{id:r=null,updated:i=null}=e??{};return k(()=>{if(r===null||!n)return;let l=!1;return t.attempt(t.api.sources(r)).then(u=>{u&&!l&&o({id:r,sources:u})}),()=>void(l=!0)},[r,i,n]),s?.id===r?s.sources:null}var me=["Run","Changes","Sources"];function os({run:t,control:e}){let[n,s]=$("Run"),{now:o,link:r}=t,i=vr(o,t.isNew),l=ss(e,o,n==="Sources"||o!==null&&!rs(o)),u=M(()=>br(l??[]),[l]);return r==="missing"?a`<${yr} />`:o?a`<article class="run" aria-labelledby="run-title" onFocusIn=${i}>
    <${wr} now=${o} control=${e} />
    ${r==="away"&&a`<p class="warning banner" role="status">The server is away. The page goes on when it is back.</p>`}
    <${kr} tab=${n} onChange=${s} />
    <div role="tabpanel" id="panel" tabindex="-1" aria-labelledby=${`tab-${n}`}>
      ${n==="Run"&&a`
      <${le.Provider} value=${u}>
        <${xr} run=${t} now=${o} control=${e} />
        <//>
    `}
      ${n==="Changes"&&a`<${kn} now=${o} control=${e} />`}
      ${n==="Sources"&&a`<${In} sources=${l} />`}
    </div>
  </article>`:a`<p class="hint">Reading the run…</p>`}function rs({state:t}){return t==="running"||t==="waiting"}function br(t){return new Map(t.filter(({url:e})=>ft(e)).map(({number:e,url:n})=>[e,n]))}function yr(){return a`
    <div>
      <h1>There is no such run</h1>
      <p class="hint">It belongs to another server, or it was removed. Choose another one, or start a new one.</p>
    </div>
  `}function vr(t,e){let n=E(e);return A(()=>{!t||!n.current||document.activeElement!==document.body||document.querySelector("#panel")?.focus({preventScroll:!0})},[t]),()=>{n.current=!0}}function wr({now:t,control:e}){let{id:n,state:s,task:o,agent:r,model:i,workspace:l,policy:u,grants:d,usage:c,can:m}=t,p=[r,i,u,Pe(d),on(c)].filter(f=>f);return a`
    <header class="run-head">
      <h1 id="run-title">${o||"Run"}</h1>
      <div class="actions">
          ${m.cancel&&a`<button type="button" class="danger" onClick=${()=>void e.cancel(n)}>Stop</button>`}
          <a class="button quiet-button" href=${`${O(n)}/export`} download=${`run-${n}.html`}>Export HTML</a>
        </div>
      <div class="run-line">
        <${Ee} state=${s} />
        <span class="hint">${p.join(" \xB7 ")}</span>
        <span class="hint path">${l}</span>
      </div>
    </header>
  `}function kr({tab:t,onChange:e}){return a`<div role="tablist" class="tabs" aria-label="Parts of the run" onKeyDown=${({key:s,currentTarget:o})=>{let r=s==="ArrowRight"?1:s==="ArrowLeft"?-1:0;if(r===0)return;let i=(me.indexOf(t)+r+me.length)%me.length;e(me[i]),o.children[i].focus()}}>${me.map(s=>a`
        <button type="button" role="tab" key=${s} id=${`tab-${s}`} aria-controls="panel"
          aria-selected=${s===t?"true":"false"} tabindex=${s===t?0:-1}
          onClick=${()=>e(s)}>${s}</button>
      `)}</div>`}function xr({run:{transcript:t},now:e,control:n}){let{id:s,state:o,questions:r,can:i,error:l}=e,u=d=>n.answer(s,d);return a`<div class="work">
    ${t.plan&&a`<${xn} plan=${t.plan} />`}
    <${ns} items=${t.items} runId=${s} isAtWork=${rs(e)} />
    ${o==="queued"&&a`<p class="note busy">${Sr(t.ahead)}</p>`}
    ${o==="running"&&a`<p class="note busy">At work</p>`}
    ${l&&o==="failed"&&a`
      <div class="error-box">
        <p><b>${l.code}</b> ${l.message}</p>
      </div>
    `}
    ${r.map(d=>a`<${Ln} key=${d.id} question=${d} onAnswer=${u} />`)}
    ${i.resume&&a`<${Mn} key=${s} id=${s} control=${n} />`}
  </div>`}function Sr(t){return t===null?"The run waits for its turn.":t===0?"The run is the next one: it starts when another one ends.":t===1?"One waiting run is before it.":`${t} waiting runs are before it.`}function is({control:t,folder:e,onChoose:n}){let[s,o]=$(!1);return a`<div class="field">
    <span class="field-name" id="folder-name">Folder</span>
    <button type="button" class="folder-button" aria-describedby="folder-name" onClick=${()=>o(!0)}>
      <span class="path">${e||"\u2026"}</span></button>
    ${s&&a`
      <${Cr} control=${t} folder=${e} onChoose=${n}
        onClose=${()=>o(!1)} />
    `}
  </div>`}function Cr({control:t,folder:e,onChoose:n,onClose:s}){let o=E(null),[r,i]=$(null),[l,u]=$(""),d=p=>t.api.folders(p).then(f=>{i(f),u("")},f=>u(String(f.message)));k(()=>{o.current?.showModal(),d(e)},[]);let c=()=>{r&&n(r.path),o.current?.close()},m=t.store.value.info?.workspaces??[];return a`<dialog ref=${o} class="folders" aria-labelledby="folders-title" onClose=${s}>
    <h2 id="folders-title">Choose a folder</h2>
    ${m.length>1&&a`<div class="choices">${m.map(p=>a`<button type="button" key=${p} onClick=${()=>void d(p)}>${p}</button>`)}</div>`}
    <p class="path" aria-live="polite">${r?.path??e}</p>
    ${l&&a`<p class="warning" role="alert">${l}</p>`}
    <ul class="folder-list">
      ${r?.parent&&a`<li><button type="button" onClick=${()=>void d(r.parent)}>↑ Up</button></li>`}
      ${r?.folders.map(({name:p,path:f})=>a`<li key=${f}><button type="button" onClick=${()=>void d(f)}>${p}</button></li>`)}
    </ul>
    ${r?.folders.length===0&&a`<p class="hint">No folder in it.</p>`}
    ${r?.truncated&&a`<p class="hint">There are more folders than are shown.</p>`}
    <div class="actions">
      <button type="button" class="primary" disabled=${!r} onClick=${c}>Choose this folder</button>
      <button type="button" onClick=${()=>o.current?.close()}>Cancel</button>
    </div>
  </dialog>`}var as={policy:"",denyRead:"",denyWrite:"",denyNet:"",denyRun:"",isNetDenied:!1,isRunDenied:!1,tools:null};function mt(t){let{policy:e,tools:n,isNetDenied:s,isRunDenied:o}=t,[r,i,l,u]=[t.denyRead,t.denyWrite,t.denyNet,t.denyRun].map(ln),d={...(e==="read-only"||e==="read-only-no-net")&&{policy:e},...n&&{tools:[...n]},...r.length>0&&{deny_read:r},...i.length>0&&{deny_write:i},...(s||l.length>0)&&{deny_net:s||l},...(o||u.length>0)&&{deny_run:o||u}};return Object.keys(d).length>0?d:void 0}function ls({info:t,fields:e,onChange:n}){let s=i=>n({...e,...i}),o=(i,l,u)=>a`<label class="field"><span class="field-name">${l}</span>
      <input type="text" placeholder=${u} value=${e[i]} spellcheck="false"
        onInput=${({currentTarget:d})=>s({[i]:d.value})} /></label>`,r=(i,l)=>a`<label class="tick"><input type="checkbox" checked=${e[i]}
      onChange=${()=>s({[i]:!e[i]})} />${l}</label>`;return a`
    <details class="permissions">
      <summary>Permissions<span class="hint">${Tr(e)}</span></summary>
      <p class="hint">The server decides what is allowed. A run can do without some of it.</p>
      <div class="grid">
          <label class="field"><span class="field-name">Policy</span>
            <select value=${e.policy} onChange=${({currentTarget:i})=>s({policy:i.value})}>
              <option value="">As the server: ${t.policy}</option>
              <option value="read-only">read-only: nothing is changed</option>
              <option value="read-only-no-net">read-only-no-net: and no network</option>
            </select></label>
          ${o("denyRead","Paths not to read",".env, secrets")}
          ${o("denyWrite","Paths not to write","docs, package.json")}
          ${o("denyNet","Hosts not to reach","example.com")}
          ${o("denyRun","Programs not to start","git, npm")}
        </div>
      <div class="ticks">${r("isNetDenied","No network at all")}${r("isRunDenied","No programs at all")}</div>
      <${Er} info=${t} tools=${e.tools} onChange=${i=>s({tools:i})} />
    </details>
  `}function Tr(t){let e=mt(t);return e?[e.policy??"",Pe(e)].filter(n=>n!=="").join("; "):"as the server allows"}function Er({info:t,tools:e,onChange:n}){let[s,o]=$(""),r=s.toLowerCase(),i=t.tools.filter(({full_name:u})=>u.toLowerCase().includes(r)),l=u=>{let d=e??[];n(d.includes(u)?d.filter(c=>c!==u):[...d,u])};return a`<fieldset class="tools">
    <legend>Tools</legend>
    <label class="tick"><input type="checkbox" checked=${e===null}
      onChange=${()=>n(e===null?[]:null)} />All tools of the agent</label>
    ${e!==null&&a`
      <div>
        <label class="field"><span class="unseen">Search tools</span><input type="search" value=${s}
              placeholder="Search tools" onInput=${({currentTarget:u})=>o(u.value)} /></label>
        <div class="tool-list" role="group" aria-label="Tools" tabindex="0">${i.map(({full_name:u,description:d})=>a`<label class="tick" key=${u} title=${d}><input type="checkbox"
          checked=${e.includes(u)} onChange=${()=>l(u)} />${u}</label>`)}</div>
      </div>
    `}
  </fieldset>`}function cs({info:t,control:e}){let[n,s]=$(""),[o,r]=$(t.agent),[i,l]=$(""),[u,d]=$(t.workspace),[c,m]=$(as),[p,f]=$(!1),_=Ie(),y=E(null);k(()=>{matchMedia("(pointer: coarse)").matches||y.current?.focus()},[]);let v=async()=>{if(n.trim()===""||p)return;f(!0);let h=mt(c);await e.start({prompt:n,agent:o,workspace:u,...i!==""&&{model:i},...h&&{grants:h},..._.pictures.length>0&&{images:[..._.pictures]}}),f(!1)},b=h=>{h.preventDefault(),v()};return a`
    <form class="start" onSubmit=${b} ...${Fe(_)}>
      <h1>What shall be done?</h1>
      <div class="prompt-box">
        <label class="unseen" for="prompt">Task</label>
        <textarea id="prompt" rows="5" ref=${y} placeholder="Describe the task. Paste or drop pictures."
          value=${n}
          onInput=${({currentTarget:h})=>s(h.value)}
          onKeyDown=${h=>ee(h)&&b(h)}></textarea>
        <${We} ...${_} />
        <div class="actions">
          <${je} ...${_} />
          <button type="submit" class="primary" disabled=${n.trim()===""||p}>Start run</button>
        </div>
      </div>
      <div class="grid">
        <${us} name="Agent" value=${o} values=${t.agents.map(({name:h})=>h)} onChange=${r}
          hint=${t.agents.find(({name:h})=>h===o)?.description??""} />
        <${us} name="Model" value=${i} values=${["",...t.models]} onChange=${l}
          none="as the agent says" />
        <${is} control=${e} folder=${u} onChoose=${d} />
      </div>
      <${ls} info=${t} fields=${c} onChange=${m} />
    </form>
  `}function us({name:t,value:e,values:n,onChange:s,none:o="",hint:r=""}){return a`<label class="field"><span class="field-name">${t}</span>
    <select value=${e} onChange=${({currentTarget:i})=>s(i.value)}>
      ${n.map(i=>a`<option key=${i} value=${i}>${i||o}</option>`)}
    </select>
    ${r&&a`<span class="hint">${r}</span>`}
  </label>`}var qe=["auto","light","dark"],fs="bulkhead-theme";function ht(t=ps()){document.documentElement.dataset.theme=t}function ds(){let[t,e]=$(ps()),n=qe[(qe.indexOf(t)+1)%qe.length],s=()=>{localStorage.setItem(fs,n),ht(n),e(n)},o={auto:"\u25D0",light:"\u2600",dark:"\u263E"}[t];return a`
    <button type="button" class="icon-button" onClick=${s}
      aria-label=${`Colours: ${t}. Change to ${n}`} title=${`Colours: ${t}`}>${o}</button>
  `}function ps(){let t=localStorage.getItem(fs);return qe.find(e=>e===t)??"auto"}function ms({control:t}){let e=Rn(t.store),{route:n,problem:s,spoken:o,isLocked:r}=e;k(()=>{document.title=Rr(e)});let i=l=>{l.preventDefault(),document.querySelector("#main")?.focus()};return a`<div class=${`page at-${n.at}`}>
    <a class="skip" href="#main" onClick=${i}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/">bulkhead</a>
      <a class="runs-link" href="#/runs">Runs</a>
      <span class="grow"></span>
      ${e.info&&a`<span class="hint version">${e.info.version}</span>`}
      <${ds} />
    </header>
    ${!r&&a`<${cn} state=${e} control=${t} />`}
    <main id="main" tabindex="-1">
      ${s&&a`<div class="error-box" role="alert"><p><b>${s.code}</b> ${s.message}.</p>
        <button type="button" class="small" onClick=${()=>t.closeProblem()}>Close</button></div>`}
      ${r?a`<${Pr} />`:a`<${Or} state=${e} control=${t} />`}
    </main>
    <div class="unseen" role="status">${o}</div>
  </div>`}function Or({state:{route:t,info:e,run:n},control:s}){return t.at==="run"&&n?a`<${os} key=${n.id} run=${n} control=${s} />`:t.at==="list"?a`
      <div>
        <h1>Runs</h1>
        <p class="hint">Choose a run, or start a new one.</p>
      </div>
    `:e?a`<${cs} info=${e} control=${s} />`:a`<p class="hint">Asking the server…</p>`}function Pr(){let t=E(null);return A(()=>t.current?.focus(),[]),a`
    <form class="token" onSubmit=${n=>{n.preventDefault();let s=new FormData(n.currentTarget).get("token");location.assign(`/?token=${encodeURIComponent(String(s))}`)}}>
      <h1>The server wants its token</h1>
      <p>Open the address that <code>bulkhead serve</code> printed at its start, or enter its token.</p>
      <label class="field"><span class="field-name">Token</span>
          <input type="password" name="token" ref=${t} autocomplete="off" required /></label>
      <div class="actions"><button type="submit" class="primary">Open</button></div>
    </form>
  `}function Rr({run:t}){return t?.now?`${{waiting:"? ",running:"\u2026 ",queued:"\u2026 ",failed:"\u2715 ",interrupted:"",completed:"\u2713 "}[t.now.state]}${t.now.task.slice(0,60)} - bulkhead`:"bulkhead"}ht();Mt();var hs=new Ce;hs.begin();Pt(a`<${ms} control=${hs} />`,document.querySelector("#page"));
