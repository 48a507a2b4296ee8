import{a as Tt}from"./chunk.js";import{b as Os,c as Rs}from"./chunk_2.js";var Wn=Os((rl,Fn)=>{"use strict";var K=[[{color:"0, 0, 0",class:"ansi-black"},{color:"187, 0, 0",class:"ansi-red"},{color:"0, 187, 0",class:"ansi-green"},{color:"187, 187, 0",class:"ansi-yellow"},{color:"0, 0, 187",class:"ansi-blue"},{color:"187, 0, 187",class:"ansi-magenta"},{color:"0, 187, 187",class:"ansi-cyan"},{color:"255,255,255",class:"ansi-white"}],[{color:"85, 85, 85",class:"ansi-bright-black"},{color:"255, 85, 85",class:"ansi-bright-red"},{color:"0, 255, 0",class:"ansi-bright-green"},{color:"255, 255, 85",class:"ansi-bright-yellow"},{color:"85, 85, 255",class:"ansi-bright-blue"},{color:"255, 85, 255",class:"ansi-bright-magenta"},{color:"85, 255, 255",class:"ansi-bright-cyan"},{color:"255, 255, 255",class:"ansi-bright-white"}]],Jo=/(https?:\/\/(?:[A-Za-z0-9#;/?:@=+$',_.!~*()[\]-]|&amp;|%[A-Fa-f0-9]{2})+)/gm,vt=class t{static escapeForHtml(e){return new t().escapeForHtml(e)}static linkify(e){return new t().linkify(e)}static ansiToHtml(e,n){return new t().ansiToHtml(e,n)}static ansiToJson(e,n){return new t().ansiToJson(e,n)}static ansiToText(e){return new t().ansiToText(e)}constructor(){this.fg=this.bg=this.fg_truecolor=this.bg_truecolor=null,this.bright=0,this.decorations=[]}setupPalette(){this.PALETTE_COLORS=[];for(let l=0;l<2;++l)for(let u=0;u<8;++u)this.PALETTE_COLORS.push(K[l][u].color);let e=[0,95,135,175,215,255],n=(l,u,d)=>e[l]+", "+e[u]+", "+e[d],s,o,r;for(let l=0;l<6;++l)for(let u=0;u<6;++u)for(let d=0;d<6;++d)this.PALETTE_COLORS.push(n(l,u,d));let i=8;for(let l=0;l<24;++l,i+=10)this.PALETTE_COLORS.push(i+", "+i+", "+i)}escapeForHtml(e){return e.replace(/[&<>\"]/gm,n=>n=="&"?"&amp;":n=='"'?"&quot;":n=="<"?"&lt;":n==">"?"&gt;":"")}linkify(e){return e.replace(Jo,n=>`<a href="${n}">${n}</a>`)}ansiToHtml(e,n){return this.process(e,n,!0)}ansiToJson(e,n){return n=n||{},n.json=!0,n.clearLine=!1,this.process(e,n,!0)}ansiToText(e){return this.process(e,{},!1)}process(e,n,s){let o=this,r=e.split(/\033\[/),i=r.shift();n==null&&(n={}),n.clearLine=/\r/.test(e);let l=r.map(u=>this.processChunk(u,n,s));if(n&&n.json){let u=o.processChunkJson("");return u.content=i,u.clearLine=n.clearLine,l.unshift(u),n.remove_empty&&(l=l.filter(d=>!d.isEmpty())),l}else l.unshift(i);return l.join("")}processChunkJson(e,n,s){n=typeof n>"u"?{}:n;let o=n.use_classes=typeof n.use_classes<"u"&&n.use_classes,r=n.key=o?"class":"color",i={content:e,fg:null,bg:null,fg_truecolor:null,bg_truecolor:null,isInverted:!1,clearLine:n.clearLine,decoration:null,decorations:[],was_processed:!1,isEmpty:()=>!i.content},l=e.match(/^([!\x3c-\x3f]*)([\d;]*)([\x20-\x2c]*[\x40-\x7e])([\s\S]*)/m);if(!l)return i;let u=i.content=l[4],d=l[2].split(";");if(l[1]!==""||l[3]!=="m"||!s)return i;let c=this;for(;d.length>0;){let m=d.shift(),p=parseInt(m);if(isNaN(p)||p===0)c.fg=c.bg=null,c.decorations=[];else if(p===1)c.decorations.push("bold");else if(p===2)c.decorations.push("dim");else if(p===3)c.decorations.push("italic");else if(p===4)c.decorations.push("underline");else if(p===5)c.decorations.push("blink");else if(p===7)c.decorations.push("reverse");else if(p===8)c.decorations.push("hidden");else if(p===9)c.decorations.push("strikethrough");else if(p===21)c.removeDecoration("bold");else if(p===22)c.removeDecoration("bold"),c.removeDecoration("dim");else if(p===23)c.removeDecoration("italic");else if(p===24)c.removeDecoration("underline");else if(p===25)c.removeDecoration("blink");else if(p===27)c.removeDecoration("reverse");else if(p===28)c.removeDecoration("hidden");else if(p===29)c.removeDecoration("strikethrough");else if(p===39)c.fg=null;else if(p===49)c.bg=null;else if(p>=30&&p<38)c.fg=K[0][p%10][r];else if(p>=90&&p<98)c.fg=K[1][p%10][r];else if(p>=40&&p<48)c.bg=K[0][p%10][r];else if(p>=100&&p<108)c.bg=K[1][p%10][r];else if(p===38||p===48){let f=p===38;if(d.length>=1){let $=d.shift();if($==="5"&&d.length>=1){let b=parseInt(d.shift());if(b>=0&&b<=255)if(!o)this.PALETTE_COLORS||c.setupPalette(),f?c.fg=this.PALETTE_COLORS[b]:c.bg=this.PALETTE_COLORS[b];else{let y=b>=16?"ansi-palette-"+b:K[b>7?1:0][b%8].class;f?c.fg=y:c.bg=y}}else if($==="2"&&d.length>=3){let b=parseInt(d.shift()),y=parseInt(d.shift()),_=parseInt(d.shift());if(b>=0&&b<=255&&y>=0&&y<=255&&_>=0&&_<=255){let v=b+", "+y+", "+_;o?f?(c.fg="ansi-truecolor",c.fg_truecolor=v):(c.bg="ansi-truecolor",c.bg_truecolor=v):f?c.fg=v:c.bg=v}}}}}if(c.fg===null&&c.bg===null&&c.decorations.length===0)return i;{let m=[],p=[],f={};return i.fg=c.fg,i.bg=c.bg,i.fg_truecolor=c.fg_truecolor,i.bg_truecolor=c.bg_truecolor,i.decorations=c.decorations,i.decoration=c.decorations.slice(-1).pop()||null,i.was_processed=!0,i}}processChunk(e,n,s){n=n||{};let o=this.processChunkJson(e,n,s),r=n.use_classes;if(o.decorations=o.decorations.filter(m=>{if(m==="reverse"){o.fg||(o.fg=K[0][7][r?"class":"color"]),o.bg||(o.bg=K[0][0][r?"class":"color"]);let p=o.fg;o.fg=o.bg,o.bg=p;let f=o.fg_truecolor;return o.fg_truecolor=o.bg_truecolor,o.bg_truecolor=f,o.isInverted=!0,!1}return!0}),n.json)return o;if(o.isEmpty())return"";if(!o.was_processed)return o.content;let i=[],l=[],u=[],d={},c=m=>{let p=[],f;for(f in m)m.hasOwnProperty(f)&&p.push("data-"+f+'="'+this.escapeForHtml(m[f])+'"');return p.length>0?" "+p.join(" "):""};return o.isInverted&&(d["ansi-is-inverted"]="true"),o.fg&&(r?(i.push(o.fg+"-fg"),o.fg_truecolor!==null&&(d["ansi-truecolor-fg"]=o.fg_truecolor,o.fg_truecolor=null)):i.push("color:rgb("+o.fg+")")),o.bg&&(r?(i.push(o.bg+"-bg"),o.bg_truecolor!==null&&(d["ansi-truecolor-bg"]=o.bg_truecolor,o.bg_truecolor=null)):i.push("background-color:rgb("+o.bg+")")),o.decorations.forEach(m=>{if(r){l.push("ansi-"+m);return}m==="bold"?l.push("font-weight:bold"):m==="dim"?l.push("opacity:0.5"):m==="italic"?l.push("font-style:italic"):m==="hidden"?l.push("visibility:hidden"):m==="strikethrough"?u.push("line-through"):u.push(m)}),u.length&&l.push("text-decoration:"+u.join(" ")),r?'<span class="'+i.concat(l).join(" ")+'"'+c(d)+">"+o.content+"</span>":'<span style="'+i.concat(l).join(";")+'"'+c(d)+">"+o.content+"</span>"}removeDecoration(e){let n=this.decorations.indexOf(e);n>=0&&this.decorations.splice(n,1)}};Fn.exports=vt});var k,Ot,As,j,et,be,Rt,ge,At,st,tt,Pt,ae=Symbol.for("pv"),ve={},we=[],Ps=/^m(i|n|o|s|text|space)$/,ot=Array.isArray,rt=we.slice,X=Object.assign;function z(t){t&&t.parentNode&&t.remove()}function H(t,e,n){var s,o,r,i={},l=arguments.length;for(r in e)r=="key"?s=e[r]:r=="ref"&&typeof t!="function"?o=e[r]:i[r]=e[r];return l>2&&(i.children=l>3?rt.call(arguments,2):n),ie(t,i,s,o,null)}function ie(t,e,n,s,o){var r={type:t,props:e,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ae,__v:o||++Ot,__i:-1,__u:0};return!o&&k.vnode&&k.vnode(r),r}function ke(t){return t.children}function Z(t,e){this.props=t,this.context=e,this.__g=0}function U(t,e){if(e==null)return t.__&&U(t.__,t.__i+1);for(var n;e<t.__k.length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:U(t)}function Ns(t){var e,n=t.__v,s=n.__e,o=[],r=[],i=t.__P;i&&((e=X({constructor:ae},n)).__v=n.__v+1,k.vnode&&k.vnode(e),it(i,e,n,t.__n,i.namespaceURI,32&n.__u?[s]:null,o,s||U(n),32&n.__u,r),e.__v=n.__v,e.__.__k[e.__i]=e,Ft(o,e,r),n.__=n.__e=null,e.__e!=s&&Nt(e))}function Nt(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),Nt(t)}function nt(t){(8&t.__g||(t.__g|=8,j.push(t),be++))&&et==k.debounceRendering||((et=k.debounceRendering)||queueMicrotask)(Lt)}function Lt(){try{for(var t,e=1;j.length;)j.length>e&&j.sort(Rt),t=j.shift(),e=j.length,8&t.__g&&Ns(t)}finally{(be=j.length)&&(et||queueMicrotask)(Lt)}}function Dt(t,e,n,s,o,r,i,l,u,d,c){var m,p,f,$,b,y,_=s.__k||we,v=e.length;for(u=Ls(n,e,_,u,v),m=0;m<v;m++)(f=n.__k[m])!=null&&(p=~f.__i&&_[f.__i]||ve,f.__i=m,y=it(t,f,p,o,r,i,l,u,d,c),$=f.__e,(p.ref!=f.ref||8&p.__u)&&(p.ref&&at(p.ref,null,f,p),f.ref&&c.push(f.ref,f.__c||$,f)),b=b||$,4&f.__u?(u=Mt(f,u,t,!p.__v),p.__e&&(p.__e=null)):typeof f.type=="function"&&y!==void 0?u=y:$&&(u=$.nextSibling),f.__u&=-21);return n.__e=b,u}function Ls(t,e,n,s,o){var r,i,l,u,d,c,m,p,f,$=n.length,b=$,y=0,_=0,v=t.__k=Array(o);for(r=0;r<o;r++)(i=e[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=v[r]=ie(null,i):ot(i)?i=v[r]=ie(ke,{children:i}):i.constructor===ae&&i.__b?i=v[r]=ie(i.type,i.props,i.key,i.ref,i.__v):v[r]=i,u=r+y,i.__=t,i.__b=t.__b+1,l=null,~(d=i.__i=Ds(i,n,u,b))&&(b--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==u-1?y--:d==u+1?y++:d!=u&&(d>u?y--:y++,_=1)):(~d||(o>$?y--:o<$&&y++),typeof i.type!="function"&&(i.__u|=4))):v[r]=null;if(_){for(c=[],m=[],r=0;r<o;r++)if((i=v[r])&&16&i.__u){for(y=0,p=c.length;y<p;)c[f=y+p>>1]<i.__i?y=f+1:p=f;c[y]=i.__i,m[r]=y+1}for(y=c.length;r--;)m[r]&&(m[r]==y?y--:v[r].__u|=4)}if(b)for(r=0;r<$;r++)!(l=n[r])||2&l.__u||(l.__e==s&&(s=U(l)),lt(l,l));return s}function Mt(t,e,n,s){var o,r,i,l;if(typeof t.type=="function"){if(t.props.__P)return e;if(o=t.__k)for(r=0;r<o.length;r++)o[r]&&(o[r].__=t,e=Mt(o[r],e,n,!1));return e}for(e&&!e.parentNode&&(e=U(t))&&!e.parentNode&&(e=null),i=t.__e,l=e;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!s&&n.moveBefore&&i.parentNode?n.moveBefore(i,e):n.insertBefore(i,e||null)),e=i;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function Ds(t,e,n,s){var o,r=t.key,i=t.type,l=e[n],u=l&&!(2&l.__u);if(l===null&&r==null||u&&r==l.key&&i==l.type)return n;if(s>(u?1:0)){for(o=n-1;o>=0;o--)if((l=e[o])&&!(2&l.__u)&&r==l.key&&i==l.type)return o;for(o=n+1;o<e.length;o++)if((l=e[o])&&!(2&l.__u)&&r==l.key&&i==l.type)return o}return-1}function Et(t,e,n){n==null&&(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function _e(t,e,n,s,o){var r,i;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof s=="string"&&(t.style.cssText=s=""),s)for(e in s)n&&e in n||Et(t.style,e);if(n)for(e in n)s&&n[e]==s[e]||Et(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),typeof s!="function"&&(s=null),(t.__e||(t.__e={}))[e]=n,n&&s||(i=tt[e]||(tt[e]=Ms(e)),(t.__a||(t.__a={}))[e]=st,r=e!=(e=e.replace(At,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),n?t.addEventListener(e,i,r):t.removeEventListener(e,i,r));else{if(o=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function Ms(t){return function(e){var n=this.__e;if(n){if(n=n[t],e[ge]==null)e[ge]=st++;else if(e[ge]<this.__a[t])return;return n(k.event?k.event(e):e)}}}function it(t,e,n,s,o,r,i,l,u,d){var c,m,p,f,$,b,y,_,v,S,x,oe,re,R,G,Ct,W,J,I=e.type;if(e.constructor!==ae)return null;128&n.__u&&(u=32&n.__u,c=n.__c.__z)&&(e.__u|=u,m=r=[],c.nodeType==8?l=ye(c,r):r.push(c),l=r[0]||l),(c=k.__b)&&c(e);e:if(typeof I=="function"){p=i.length;try{if(_=e.props,v=(c=I.prototype)&&c.render,S=(c=I.contextType)&&s[c.__c],x=c?S?S.props.value:c.__:s,(f=n.__c)?(e.__c=f,2&f.__g&&(f.__g|=1)):(v?e.__c=f=new I(_,x):(e.__c=f=new Z(_,x),f.constructor=I,f.render=Fs),S&&S.sub(f),f.state||(f.state={}),f.__n=s,f.__g|=8,f.__h=[],f.__k=[]),v&&(f.__s||(f.__s=f.state),I.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=X({},f.__s)),X(f.__s,I.getDerivedStateFromProps(_,f.__s)))),$=f.props,b=f.state,f.__v=e,n.__c){if(_!==$&&v&&!I.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(_,x),e.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(_,f.__s,x)===!1){e.__v!=n.__v&&(f.props=_,f.state=f.__s,f.__g&=-9),e.__e=n.__e,e.__k=n.__k,e.__k.some(function(P){P&&(P.__=e)}),we.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&i.push(f),l=U(n);break e}f.componentWillUpdate&&f.componentWillUpdate(_,f.__s,x),v&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate($,b,y)})}else v&&!I.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),v&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=_,f.__P=t,f.__g&=-5,oe=k.__r,re=v?25:0;do f.__g&=-9,oe&&oe(e),c=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++re<25);v&&(we.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(s=X({},s,f.getChildContext())),v&&n.__c&&f.getSnapshotBeforeUpdate&&(y=f.getSnapshotBeforeUpdate($,b)),R=c&&c.type===ke&&c.key==null?c.props.children:c,_.__P&&(c=l,o=(t=_.__P).namespaceURI,u=r=null,n.props&&n.props.__P!=t&&(n.__k.some(function(P){P&&lt(P,P)}),n.__k=null),l=n.__k?U(n,0):null),l=Dt(t,ot(R)?R:[R],e,n,s,o,r,i,l,u,d),_.__P&&(e.__e=null,l=c),e.__u&=-161,m&&m.some(z),f.__h.length&&i.push(f),1&f.__g&&(f.__g&=-4)}catch(P){if(i.length=p,e.__v=null,u||r)if(P&&P.then){if(e.__u|=128|u,r){for(~(W=r.indexOf(l||void 0))||(W=r.length);(J=r[W-1])&&J.nodeType==8;)W--;for(;W<r.length;W++)if(J=r[W])if(r[W]=null,G){if(J==Ct)break}else{if(J.nodeType!=8)break;J.data.startsWith("$s")&&(Ct=ye(G=J))}}if(!G){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;G=l}(c=ye(G=e.__c.__z||(e.__c.__z=G)))?(e.__e=G,l=c):e.__e=l,l=l&&l.nextSibling}else r&&r.some(z);else e.__e=n.__e;e.__k||(e.__k=n.__k||[]),P&&P.then||It(e),k.__e(P,e,n)}}else l=e.__e=Is(n.__e,e,n,s,o,r,i,u,d,t);return(c=k.diffed)&&c(e),l}function ye(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(t)}}function It(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some(It))}function Ft(t,e,n){for(var s=0;s<n.length;)at(n[s++],n[s++],n[s++]);k.__c&&k.__c(e,t),t.some(function(o){try{t=o.__h,o.__h=[],t.some(function(r){r.call(o)})}catch(r){k.__e(r,o.__v)}})}function Is(t,e,n,s,o,r,i,l,u,d){var c,m,p,f,$,b,y,_,v=n.props||ve,S=e.props,x=e.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r){for(c=0;c<r.length;c++)if(($=r[c])&&(x?$.localName==x:$.nodeType==3)){t=$,r[c]=null;break}}if(!t){if(_=d.ownerDocument||document,!x)return _.createTextNode(S);t=_.createElementNS(o,x,S.is?S:d),l&&(k.__m&&k.__m(e,r),l=!1),r=null}if(x){if(d=x=="template"&&t.content||t,r=x=="textarea"&&S.defaultValue!=null?null:r&&rt.call(d.childNodes),!l&&r)for(v={},c=0;c<t.attributes.length;c++)v[($=t.attributes[c]).name]=$.value;for(c in v)$=v[c],c=="dangerouslySetInnerHTML"?p=$:c=="children"||c in S||c=="value"&&"defaultValue"in S||c=="checked"&&"defaultChecked"in S||_e(t,c,null,$,o);for(c in S)$=S[c],c=="children"?f=$:c=="dangerouslySetInnerHTML"?m=$:c=="value"?b=$:c=="checked"?y=$:l&&typeof $!="function"||v[c]===$||_e(t,c,$,v[c],o);m?(l||p&&(m.__html==p.__html||m.__html==t.innerHTML)||(t.innerHTML=m.__html),e.__k=[]):(p&&(t.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&Ps.test(x))&&(o="http://www.w3.org/1999/xhtml"),Dt(d,ot(f)?f:[f],e,n,s,o,r,i,r?r[0]:n.__k&&U(n,0),l,u),r&&r.some(z)),l&&x!="textarea"||(c="value",x=="progress"&&b==null?t.removeAttribute(c):b==null||b===t[c]&&(x!="progress"||b)||_e(t,c,b,v[c],o),c="checked",y!=null&&y!=t[c]&&_e(t,c,y,v[c],o))}else v===S||l&&t.data==S||(t.data=S);return t}function at(t,e,n,s){try{typeof t=="function"?e?e.__x=t(e)||1:s&&(s=s.__c||s.__e)&&(e=s.__x)&&(s.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(o){k.__e(o,n)}}function lt(t,e,n){var s,o,r,i;if(k.unmount&&k.unmount(t),!(s=t.ref)||s.current&&s.current!=t.__e||at(s,null,e,t),s=t.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){k.__e(l,e)}s.__P=s.__n=null}if(s=t.__k)for(i=0;i<s.length;i++)s[i]&&lt(s[i],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(s=t.__c)&&(s=s.__z)&&(o=ye(s,r=[]))&&(s==t.__e&&r.some(z),z(o),z(s)),n||z(t.__e),t.__e=t.__c=t.__=null}function Fs(t,e,n){return this.constructor(t,n)}function Wt(t,e){var n,s,o,r;k.__&&k.__(t,e),e.nodeType==9&&(e=e.documentElement),s=(n=t&&32&t.__u)?null:e.__k,e.__k=ie(ke,{children:[t]}),o=[],r=[],it(e,e.__k,s||ve,ve,e.namespaceURI,s?null:e.firstChild?rt.call(e.childNodes):null,o,s?s.__e:e.firstChild,n,r),Ft(o,e.__k,r),e.__k.props.children=null}function jt(t){function e(n){var s,o;return this.getChildContext||(s=new Set,(o={})[e.__c]=this,this.getChildContext=function(){return o},this.shouldComponentUpdate=function(r){this.props.value!=r.value&&s.forEach(function(i){i.__g|=4,nt(i)})},this.sub=function(r){s.add(r);var i=r.componentWillUnmount;r.componentWillUnmount=function(){s.delete(r),i&&i.call(r)}}),n.children}return e.__c="__cC"+Pt++,e.__=t,e.Provider=(e.Consumer=function(n,s){return n.children(s)}).contextType=e,e}k={__e:function(t,e,n,s){for(var o,r,i;e=e.__;)if((o=e.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(r=o.constructor)&&r.getDerivedStateFromError)&&o.setState(r.getDerivedStateFromError(t)),o.componentDidCatch&&(o.componentDidCatch(t,s||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(l){t=l}}throw be=0,t}},Ot=0,As=function(t){return t!=null&&t.constructor===ae},Z.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=X({},this.state)),typeof t=="function"&&(t=t(X({},n),this.props)),t&&(X(n,t),this.__v&&(e&&this.__k.push(e),nt(this)))},Z.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),nt(this))},Z.prototype.render=ke,j=[],be=0,Rt=function(t,e){return t.__v.__b-e.__v.__b},ge=Symbol(),At=/(PointerCapture)$|Capture$/i,st=0,tt={},Pt=0;var Ht=function(t,e,n,s){var o;e[0]=0;for(var r=1;r<e.length;r++){var i=e[r++],l=e[r]?(e[0]|=i?1:2,n[e[r++]]):e[++r];i===3?s[0]=l:i===4?s[1]=Object.assign(s[1]||{},l):i===5?(s[1]=s[1]||{})[e[++r]]=l:i===6?s[1][e[++r]]+=l+"":i?(o=t.apply(l,Ht(t,l,n,["",null])),s.push(o),l[0]?e[0]|=2:(e[r-2]=0,e[r]=o)):s.push(l)}return s},Ut=new Map;function qt(t){var e=Ut.get(this);return e||(e=new Map,Ut.set(this,e)),(e=Ht(this,e.get(t)||(e.set(t,e=function(n){for(var s,o,r=1,i="",l="",u=[0],d=function(p){r===1&&(p||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,p,i):r===3&&(p||i)?(u.push(3,p,i),r=2):r===2&&i==="..."&&p?u.push(4,p,0):r===2&&i&&!p?u.push(5,0,!0,i):r>=5&&((i||!p&&r===5)&&(u.push(r,0,i,o),r=6),p&&(u.push(r,p,0,o),r=6)),i=""},c=0;c<n.length;c++){c&&(r===1&&d(),d(c));for(var m=0;m<n[c].length;m++)s=n[c][m],r===1?s==="<"?(d(),u=[u],r=3):i+=s:r===4?i==="--"&&s===">"?(r=1,i=""):i=s+i[0]:l?s===l?l="":i+=s:s==='"'||s==="'"?l=s:s===">"?(d(),r=1):r&&(s==="="?(r=5,o=i,i=""):s==="/"&&(r<5||n[c][m+1]===">")?(d(),r===3&&(u=u[0]),r=u,(u=u[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(d(),r=2):i+=s),r===3&&i==="!--"&&(r=4,u=u[0])}return d(),u}(t)),e),arguments,[])).length>1?e:e[0]}var a=qt.bind(H);var Vt="bulkhead-key",Ws=/^#key=([0-9a-f]+)$/;function Bt(){let[,t]=Ws.exec(location.hash)??[];t!==void 0&&(localStorage.setItem(Vt,t),history.replaceState(null,"",location.pathname))}function Kt(){return localStorage.getItem(Vt)??""}var q=class extends Error{code;status;constructor(e,n,s){super(n),this.code=e,this.status=s}},js="The server cannot be reached",Us=1e6,Se=class{info(){return A("GET","/info")}folders(e){return A("GET",`/folders?path=${encodeURIComponent(e)}`)}runs(e){let n=new URLSearchParams({limit:"50"});return e.search!==""&&n.set("search",e.search),e.before!==null&&n.set("before",e.before),A("GET",`/runs?${n}`)}start(e){return A("POST","/runs",e)}run(e){return A("GET",O(e))}answer(e,n){return A("POST",`${O(e)}/answer`,n)}cancel(e){return A("POST",`${O(e)}/cancel`)}resume(e,n){return A("POST",`${O(e)}/resume`,n)}remove(e){return A("DELETE",O(e))}chooseModel(e){return A("POST","/model",{model:e})}async promptOf(e){let{body:n}=await xe("GET",`${O(e)}/events`),s=n?.pipeThrough(new TextDecoderStream).getReader(),o="";for(let r=await s?.read();r?.value!==void 0;r=await s?.read()){o+=r.value;let[,i]=/^event: prompt\ndata: (.*)\n/m.exec(o)??[];if(!(i===void 0&&o.length<Us))return await s?.cancel(),i===void 0?"":JSON.parse(i).text}return""}async demo(){return await(await xe("GET","/demo.jsonl")).text()}files(e){return A("GET",`${O(e)}/files`)}async sources(e){let{sources:n}=await A("GET",`${O(e)}/sources`);return n}async diff(e){return await(await xe("GET",`${O(e)}/diff`)).text()}undo(e){return A("POST",`${O(e)}/undo`)}};function O(t){return`/runs/${encodeURIComponent(t)}`}async function A(t,e,n){return await(await xe(t,e,n)).json()}async function xe(t,e,n){let s={"x-page-key":Kt()},o=n===void 0?{headers:s}:{headers:{...s,"content-type":"application/json"},body:JSON.stringify(n)},r=await fetch(e,{method:t,...o}).catch(()=>{throw new q("offline",js,0)});if(!r.ok)throw await Hs(r);return r}async function Hs(t){let{error:e}=await t.json().catch(()=>({})),n=e?.message??`The server answered with status ${t.status}`;return new q(e?.code??"internal",n,t.status)}var qs={prompt:!0,"run.start":!0,"run.end":!0,"run.queued":!0,"turn.start":!0,"text.delta":!0,"tool.start":!0,"tool.progress":!0,"tool.end":!0,"tools.added":!0,"program.start":!0,"program.input":!0,"program.end":!0,question:!0,"question.end":!0,attached:!0,compact:!0,permission:!0,plan:!0,retry:!0,state:!0,warning:!0};function Gt(t,e,n){let s=new EventSource(`${O(t)}/events?after=${e}`),o=[],r=0,i=()=>{r=0;let u=o;o=[],u.length>0&&n.onEvents(u)},l=({data:u,lastEventId:d})=>{let{v:c,time:m,...p}=JSON.parse(u);o.push({n:Number(d),time:m,event:p}),r||=document.hidden?setTimeout(i,200):requestAnimationFrame(i)};for(let u of Object.keys(qs))s.addEventListener(u,l);return s.addEventListener("open",()=>n.onLink("live")),s.addEventListener("error",()=>{i(),s.readyState===EventSource.CLOSED?n.onClose():n.onLink("away")}),()=>{s.close(),o=[]}}function Ce(t,e){let n=e.filter(({n:p})=>p>t.last),s=n.at(-1);if(!s)return t;let{plan:o,ahead:r,turn:i}=t,l={items:[...t.items],open:new Map(t.open),asked:new Map(t.asked),rest:{plan:o,ahead:r,turn:i},n:0,time:""};for(let{n:p,time:f,event:$}of n)l.n=p,l.time=f,Vs(l,$);let{items:u,open:d,asked:c,rest:m}=l;return{...m,items:u,open:d,asked:c,last:s.n}}function Vs(t,e){switch(e.type){case"prompt":return ee(t),e.text===""?void 0:le(t,{kind:"said",text:e.text});case"run.queued":t.rest.ahead=e.ahead;return;case"run.start":t.rest.ahead=null,t.items.some(({kind:n})=>n==="end")&&V(t,"info","The run goes on."),t.open.clear();return;case"turn.start":return t.rest.turn=e.n,ee(t);case"plan":t.rest.plan=e.plan;return;case"text.delta":return Bs(t,e);case"question":return t.asked.set(e.question.id,e.question.kind),ee(t);case"question.end":return Gs(t,e);case"run.end":return Js(t,e);default:return"id"in e?zs(t,e):to(t,e)}}function Bs(t,{text:e,restart:n}){let s=t.items.at(-1);s?.kind==="text"&&s.isOpen?t.items[t.items.length-1]={...s,text:n?e:s.text+e}:e!==""&&le(t,{kind:"text",text:e,isOpen:!0})}function ee(t){let e=t.items.at(-1);e?.kind!=="text"||!e.isOpen||(e.text.trim()===""?t.items.pop():t.items[t.items.length-1]={...e,isOpen:!1})}var Ks={once:"Allowed once.",run:"Allowed in this run.",no:"Refused."};function Gs(t,{id:e,answer:n}){let s=t.asked.get(e)==="consent";if(t.asked.delete(e),n===null)return V(t,"info","Nobody waits for an answer any more.");V(t,"info",s&&Ks[n]||`Answered: ${n}`)}function Js(t,e){ee(t),t.open.clear(),t.rest.ahead=null;let{termination_reason:n,answer:s=null,changed:o=[],refused:r=[]}=e,i=t.items.findLast(({kind:u})=>u==="text"||u==="end"),l=i?.kind==="text"&&s!==null&&i.text.trim()===s.trim();le(t,{kind:"end",end:{reason:n,answer:l?null:s,changed:o,refused:r}})}function zs(t,e){if(e.type==="tool.start")return ee(t),t.open.set(e.id,t.items.length),le(t,{kind:"call",call:Xs(e,t.time)});let n=t.open.get(e.id),s=n===void 0?void 0:t.items[n];n===void 0||s?.kind!=="call"||(t.items[n]={...s,call:Ys(s.call,e)},e.type==="tool.end"&&t.open.delete(e.id))}function Xs({id:t,tool:e,arguments:n},s){return{id:t,tool:e,input:n,started:s,progress:null,programs:[],refusals:[],result:null,isRecorded:!1}}function Ys(t,e){switch(e.type){case"tool.progress":{let{type:n,id:s,...o}=e;return{...t,progress:o}}case"tool.end":return{...t,result:e.result,isRecorded:e.verdict==="recorded",progress:null};case"program.start":{let{program:n,argv:s,command:o=s.join(" "),sandboxed:r}=e;return{...t,programs:[...t.programs,{program:n,words:o,sandboxed:r,end:null}]}}case"program.end":return{...t,programs:t.programs.map(n=>Qs(n,e))};case"permission":return e.decision==="refused"?{...t,refusals:[...t.refusals,eo(e)]}:t;default:return t}}function Qs(t,{program:e,exit_code:n,reason:s}){return t.program!==e?t:{...t,end:s==="exited"?`exit code ${n}`:s}}var Zs={read:"read",write:"write",net:"reach",run:"start"};function eo(t){if("rule"in t)return{text:`Forbidden by the rule ${t.rule}`,flag:null};let e=`No permission to ${Zs[t.kind]} ${t.target}`;return t.flag.startsWith("--deny")?{text:`${e}: it is denied, by the server or for this run`,flag:null}:{text:e,flag:t.flag}}function to(t,e){if(e.type==="warning"&&V(t,"warning",e.message),e.type==="retry"){let n=Math.round(e.wait_ms/100)/10;V(t,"warning",`${e.message}. Try ${e.n} of ${e.max} in ${n} s.`)}e.type==="compact"&&V(t,"info",`Older turns were summed up: ${e.before_tokens} to ${e.after_tokens} tokens.`),e.type==="tools.added"&&V(t,"info",`New tools: ${e.tools.join(", ")}`),e.type==="attached"&&V(t,"info",`Attached: ${e.path}`)}function V(t,e,n){ee(t),le(t,{kind:"note",tone:e,text:n})}function le(t,e){t.items.push({...e,key:t.n})}function ut(t){let e=t.replace(/^#/,"");if(e==="/runs")return{at:"list"};if(e==="/demo")return{at:"demo"};let[,n]=/^\/runs\/([^/]+)$/.exec(e)??[];if(n===void 0)return{at:"new"};try{return{at:"run",id:decodeURIComponent(n)}}catch{return{at:"new"}}}function Te(t){return`#/runs/${encodeURIComponent(t)}`}var Ee=class{#e;#s=new Set;constructor(e){this.#e=e}get value(){return this.#e}change(e){let n=e(this.#e);if(n!==this.#e){this.#e=n;for(let s of this.#s)s()}}listen(e){return this.#s.add(e),()=>void this.#s.delete(e)}};var Oe={last:0,items:[],open:new Map,plan:null,asked:new Map,ahead:null,turn:0};function Jt(t){return{route:t,info:null,list:{search:"",rows:[],next:null,isLoaded:!1},run:null,problem:null,isAway:!1,draft:null,isLocked:!1,spoken:""}}function zt(t,e){let n=e?.id===t;return{id:t,now:n?e:null,transcript:Oe,link:"live",isNew:n}}var no=4e3,Xt=8e3,so=new Set(["run.queued","run.start","run.end","question","question.end"]),oo={queued:"The run waits for its turn.",running:"The run is at work.",waiting:"The run waits for your answer.",interrupted:"The run was stopped.",completed:"The run is completed.",failed:"The run failed."},Re=class{api=new Se;store;#e=()=>{};#s=0;#c=null;constructor(){this.store=new Ee(Jt(ut(location.hash)))}begin(){addEventListener("hashchange",()=>this.#f()),setInterval(()=>!document.hidden&&void this.#o(),no),this.#i(),this.searchRuns(""),this.#f()}async start(e){let n=await this.attempt(this.api.start(e));return n?(this.#c=n,location.hash=Te(n.id),this.#o(),!0):!1}async again(e){let n=await this.attempt(this.api.promptOf(e.id));if(n===null)return;let{agent:s,model:o,workspace:r,grants:i}=e,{info:l,draft:u}=this.store.value,d={prompt:n||e.task,workspace:r,...s!==null&&{agent:s},...o!==null&&l?.models.includes(o)&&{model:o},...i&&{grants:i}};this.#t({draft:{key:(u?.key??0)+1,run:d}}),location.hash="#/"}async remove(e){if(!await this.attempt(this.api.remove(e)))return;let{list:n,run:s}=this.store.value;this.#r({rows:n.rows.filter(o=>o.id!==e)}),s?.id===e&&(location.hash="#/")}async takeModel(e){try{await this.api.chooseModel(e),await this.#i();let{info:n}=this.store.value;return n&&this.#t({info:{...n,model:e,model_problem:null,models:[...new Set([e,...n.models])]}}),null}catch(n){return n instanceof q?n.message:String(n)}}async resume(e,n){let s=await this.attempt(this.api.resume(e,n)),{run:o}=this.store.value;return!s||o?.id!==e?s!==null:(this.#n(e,{now:s,link:"live"}),this.#a(e),!0)}async answer(e,n){let s=await this.attempt(this.api.answer(e,n));return s&&this.#n(e,{now:s}),s!==null}async cancel(e){let n=await this.attempt(this.api.cancel(e));n&&this.#n(e,{now:n})}async searchRuns(e){this.#r({search:e,isLoaded:!1}),await this.#o()}async moreRuns(){let{search:e,next:n}=this.store.value.list,s=await this.attempt(this.api.runs({search:e,before:n}));s&&this.#r({rows:[...this.store.value.list.rows,...s.runs],next:s.next})}async attempt(e){try{let n=await e;return this.#t({problem:null,isAway:!1}),n}catch(n){return this.#u(n),null}}closeProblem(){this.#t({problem:null})}async#i(){let e=await this.attempt(this.api.info());e?this.#t({info:e}):this.store.value.isLocked||setTimeout(()=>void this.#i(),Xt)}async#o(){let{search:e,rows:n,isLoaded:s}=this.store.value.list;try{let o=await this.api.runs({search:e,before:null});if(this.store.value.list.search!==e)return;let r=new Set(o.runs.map(({id:d})=>d)),i=s&&n.length>o.runs.length?n.slice(o.runs.length):[],l=o.next===null?[]:i.filter(({id:d})=>!r.has(d)),u=l.length>0?this.store.value.list.next:o.next;this.#r({rows:[...o.runs,...l],next:u,isLoaded:!0}),this.#p(o.runs),this.store.value.isAway&&this.#t({isAway:!1})}catch(o){this.#u(o)}}#p(e){let{run:n}=this.store.value,s=e.find(({id:o})=>o===n?.id);s&&n?.now&&this.#n(n.id,{now:{...n.now,usage:s.usage,policy:s.policy}})}#f(){let e=ut(location.hash);this.#e(),this.#t({route:e,problem:null,run:e.at==="run"?zt(e.id,this.#c):null,spoken:""}),e.at==="run"&&(this.#l(e.id),this.#a(e.id))}#a(e){this.#e();let{run:n}=this.store.value;if(n?.id!==e)return;let s=Gt(e,n.transcript.last,{onEvents:o=>this.#m(e,o),onLink:o=>{if(o==="live")this.#s=0;else if(this.store.value.run?.transcript.items.at(-1)?.kind==="end")return void this.#d(e);this.#n(e,{link:o})},onClose:()=>void this.#d(e)});this.#e=s}async#d(e){this.#e();let n=await this.#l(e),{run:s,isLocked:o}=this.store.value;if(s?.id!==e||o||s.link==="missing")return;if(n&&s.transcript.last>=n.events&&!["queued","running","waiting"].includes(n.state))return this.#n(e,{link:"closed"});this.#n(e,{link:n?"live":"away"}),this.#s=Math.min(Xt,this.#s*2+500);let r=setTimeout(()=>this.#a(e),this.#s);this.#e=()=>clearTimeout(r)}#m(e,n){let{run:s}=this.store.value;s?.id===e&&(this.#n(e,{transcript:Ce(s.transcript,n)}),n.some(({event:o})=>so.has(o.type))&&(this.#l(e),this.#o()))}async#l(e){try{let n=await this.api.run(e);return this.#n(e,{now:n}),this.store.value.isAway&&this.#t({isAway:!1}),n}catch(n){return this.store.value.run?.id!==e||(n instanceof q&&n.code==="not_found"?this.#n(e,{link:"missing"}):this.#u(n)),null}}#n(e,n){this.store.change(s=>{if(s.run?.id!==e)return s;let o=s.run.now?.state,r=n.now&&n.now.state!==o?oo[n.now.state]:s.spoken;return{...s,run:{...s.run,...n},spoken:r}})}#r(e){this.store.change(n=>({...n,list:{...n.list,...e}}))}#t(e){this.store.change(n=>({...n,...e}))}#u(e){let{code:n,message:s,status:o}=e instanceof q?e:{code:"internal",message:String(e),status:0};o===401?this.#t({isLocked:!0}):n==="offline"?this.#t({isAway:!0}):this.#t({problem:{code:n,message:s}})}};var Y,C,ct,Yt,ft=Object.is,Ae=0,an=[],dt=[],T=k,Qt=T.__b,Zt=T.__r,en=T.diffed,tn=T.__c,nn=T.unmount,sn=T.__;function ce(t,e){T.__h&&T.__h(C,t,Ae||e),Ae=0;var n=C.__H||(C.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function h(t){return Ae=1,ro(un,t)}function ro(t,e,n){var s=ce(Y++,2);if(s.t=t,!s.__c&&(s.__=[n?n(e):un(void 0,e),function(r){var i=(s.__N||s.__)[0],l=s.t(i,r);ft(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=C,!C.__f)){C.__f=!0;var o=C.shouldComponentUpdate;C.shouldComponentUpdate=function(r,i,l){var u=this.__H;if(!u)return!0;var d=!1,c=this.props!=r;if(u.__.some(function(p){p.__N&&(d=!0,ft(p.__[0],p.__N[0])||(c=!0))}),o){var m=o.call(this,r,i,l);return d?m||c:m}return!d||c}}return s.__}function w(t,e){var n=ce(Y++,3);!T.__s&&mt(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,C.__H.__h.push(n))}function L(t,e){var n=ce(Y++,4);!T.__s&&mt(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,C.__h.push(n))}function E(t){return Ae=5,F(function(){return{current:t}},[])}function F(t,e){var n=ce(Y++,7);return mt(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function ln(t){var e=C.context[t.__c],n=ce(Y++,9);return n.c=t,e?(n.__==null&&(n.__=!0,e.sub(C)),e.props.value):t.__}function io(){var t;do{for(;t=dt.shift();)try{ue(t)}catch(n){T.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=an.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(ue),e.__h.some(pt),e.__h=[]}catch(n){e.__h=[],T.__e(n,t.__v)}}}while(dt.length)}T.__b=function(t){C=null,Qt&&Qt(t)},T.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),sn&&sn(t,e)},T.__r=function(t){Zt&&Zt(t),Y=0;var e=(C=t.__c).__H;e&&(ct==C?C.__h=[]:(e.__h.some(ue),e.__h.some(pt),Y=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ct=C},T.diffed=function(t){en&&en(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&rn(an.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ct=C=null},T.__c=function(t,e){e.some(function(n){try{n.__h.some(ue),n.__h=n.__h.filter(function(s){return!s.__||pt(s)})}catch(s){n.__h=[function(){throw s}]}}),tn&&tn(t,e)},T.unmount=function(t){nn&&nn(t);var e,n,s=t.__c;s&&s.__H&&(s.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,rn(dt.push(o))}else ue(o)}catch(r){e=r}}),s.__H=void 0,e&&T.__e(e,s.__v))};var on=typeof requestAnimationFrame=="function";function ao(t){var e,n=function(){clearTimeout(s),on&&cancelAnimationFrame(e),setTimeout(t)},s=setTimeout(n,35);on&&(e=requestAnimationFrame(n))}function rn(t){t!=1&&Yt==T.requestAnimationFrame||((Yt=T.requestAnimationFrame)||ao)(io)}function ue(t){var e=C,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),C=e}function pt(t){var e=C;t.__c=t.__(),C=e}function mt(t,e){return!t||t.length!=e.length||e.some(function(n,s){return!ft(n,t[s])})}function un(t,e){return typeof e=="function"?e(t):e}function cn(t){let e=t.split(`
`).filter(i=>i!=="").map(i=>JSON.parse(i)),n=[],s=0,o="";for(let i of e){if(i.t==="task"&&n.push({type:"prompt",text:i.text,images:0}),i.t==="reply"&&(n.push({type:"turn.start",n:++s,input_tokens:0}),o=i.reply.content,o!==""&&n.push({type:"text.delta",text:o})),i.t!=="result")continue;let{call:{id:l,tool:u,arguments:d},result:c}=i;n.push({type:"tool.start",id:l,tool:u,arguments:d}),n.push({type:"tool.end",id:l,result:lo(u,c)})}n.push({type:"run.end",termination_reason:"completed",answer:o});let r=new Date(0).toISOString();return n.map((i,l)=>({n:l+1,time:r,event:i}))}function lo(t,{ok:e,content:n,error:s,duration_ms:o}){return{tool_name:t,ok:e,result:null,text:n,images:[],artifacts:[],warnings:[],error:s,metadata:{duration_ms:o,place:"none"}}}function te(t){if(t<1e3)return`${Math.round(t)} ms`;let e=t/1e3;if(e<60)return`${Number.isInteger(e)?e:e.toFixed(1)} s`;let n=Math.round(e);return`${Math.floor(n/60)} min ${n%60} s`}function uo(t,e){let n=Math.max(0,(e-Date.parse(t))/1e3);return Number.isFinite(n)?n<60?"now":n<3600?`${Math.floor(n/60)} min ago`:n<86400?`${Math.floor(n/3600)} h ago`:t.slice(0,10):""}function Pe(t){if(!t||t.input_tokens+t.output_tokens+t.calls===0)return"";let{input_tokens:e,cached_tokens:n,output_tokens:s,calls:o,cost:r,estimated:i}=t;return[`${i?"about ":""}${ht(e)} tokens in${n>0?` (${ht(n)} cached)`:""}`,`${ht(s)} out`,`${o} ${o===1?"call":"calls"}`,...r===null?[]:[fo(r)]].join(", ")}function fn({seconds:t,changed:e,created:n},s){return[...t===null?[]:[te(t<10?t*1e3:Math.round(t)*1e3)],...e?[`${e} ${e===1?"file":"files"}`]:[],uo(n,s)].filter(o=>o!=="")}var co={completed:"Done",task_failed:"The agent says that it could not do it",waiting_for_clarification:"The agent waits for your answer",interrupted:"Stopped",max_iterations:"Stopped: it has used all its steps",max_rounds:"Stopped: it has used all its rounds",max_calls:"Stopped: it has used all its calls",max_time:"Stopped: its time is over",max_tokens:"Stopped: it has used all its tokens",max_cost:"Stopped: it has cost as much as it may",repeated_call:"Stopped: it made the same call again and again",too_many_faults:"Stopped: too many calls failed one after the other",cut_off:"The last answer was cut off at its longest length",context_overflow:"Stopped: the conversation is longer than the model reads",unauthenticated:"The model's server does not take the key",model_unreachable:"The model's server cannot be reached",model_unknown:"The model's server does not know this model",rate_limited:"The model's server is asked too often",output_invalid:"The answer has not the form that was asked for",replay_differs:"The recording does not fit"};function dn(t){return co[t]??`It failed (${t.replaceAll("_"," ")})`}function pn({message:t,code:e},n){let s=t.replaceAll(`${n}/`,"").split(`
`).find(o=>o.trim()!=="")?.trim()??"";return s===""?e.replaceAll("_"," "):s.length>200?`${s.slice(0,199)}\u2026`:s}function mn(t){if(typeof t!="object"||t===null)return"";let n=Object.values(t).filter(s=>["string","number"].includes(typeof s)).map(String).map(s=>s.split(`
`)[0]).join("  ");return n.length>120?`${n.slice(0,119)}\u2026`:n}function hn(t){return t.split(/[,\n]/).map(e=>e.trim()).filter(e=>e!=="")}function ht(t){return t<1e3?String(t):t<1e6?`${(t/1e3).toFixed(1)}k`:`${(t/1e6).toFixed(1)}M`}function fo(t){return`$${t<1?t.toFixed(4):t.toFixed(2)}`}function D({text:t}){let[e,n]=h(!1),s=async()=>{await navigator.clipboard.writeText(t),n(!0),setTimeout(()=>n(!1),2e3)};return a`<button type="button" class="small" onClick=${()=>void s()}>${e?"Copied":"Copy"}</button>`}var $n=null,$t=!1,Ne=[];function Le(t,e,n){return new Promise(s=>{Ne.push({job:{kind:t,asked:e},signal:n,resolve:s}),_n()})}async function _n(){if($t||Ne.length===0)return;$t=!0;let t=Math.max(0,Ne.findIndex(({job:o})=>o.kind==="blocks")),[{job:e,signal:n,resolve:s}]=Ne.splice(t,1);s(n.aborted?null:await po(e,n)),$t=!1,_n()}function po(t,e){return new Promise(n=>{let s,o=$n??=new Worker("./reader.js",{type:"module"}),r=l=>{clearTimeout(s),e.removeEventListener("abort",i),n(l)},i=()=>{o.terminate(),$n=null,r(null)};e.addEventListener("abort",i),o.onmessage=({data:l})=>{"answer"in l?r(l.answer):s=setTimeout(i,2e3)},o.onerror=i,o.postMessage(t)})}var mo=/(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;function g(t){return t.replace(mo,e=>`\u27E8U+${e.codePointAt(0).toString(16).toUpperCase().padStart(4,"0")}\u27E9`)}var gn=4e5;function N({text:t,label:e,lines:n=40}){let[s,o]=h(0),r=s===0?ho(t,n):t.slice(0,s*gn),i=r.length<t.length;return a`<div class="folded">
    <pre tabindex="0" role="group" aria-label=${e}>${g(r)}</pre>
    ${i&&a`<button type="button" class="small" onClick=${()=>o(s+1)}>
      ${t.length<=gn?`Show all ${_t(t)} lines`:`Show more of ${_t(t)} lines`}
    </button>`}
    ${s>0&&a`
      <button type="button" class="small" onClick=${()=>o(0)}>Show less</button>
    `}
  </div>`}function ho(t,e){let n=e*200,s=-1;for(let o=0;o<e;o++)if(s=t.indexOf(`
`,s+1),s<0)return t.slice(0,n);return _t(t.slice(s))<=3?t.slice(0,n):t.slice(0,Math.min(s,n))}function _t(t){return t.split(`
`).length}function De(t,e){let n=e&&JSON.stringify(e),[s,o]=h(null);return w(()=>{if(e===null||n===null)return;let r=new AbortController;return Le(t,e,r.signal).then(i=>{r.signal.aborted||o({key:n,answer:i})}),()=>r.abort()},[n]),s!==null&&s.key===n?s.answer:null}function fe({text:t,language:e,isOpen:n}){let s=De("colours",n||e===""?null:{text:t,language:e});return a`
    <div class="code-block">
      <div class="code-head"><span>${g(e.slice(0,30))}</span><${D} text=${t} /></div>
      <pre tabindex="0" role="group" aria-label=${e?`Code, ${g(e.slice(0,30))}`:"Code"}><code>${s?.map((o,r)=>a`<span key=${r} class=${o.classes}>${g(o.text)}</span>`)??g(t)}</code></pre>
    </div>
  `}function yn({text:t,isOpen:e}){let n=De("diagram",e?null:{text:t});return n===null?a`<${fe} text=${t} language="mermaid" isOpen=${e} />`:a`
    <figure class="diagram">
      <img src=${n} alt="Diagram; its source is below." />
      <details>
        <summary>Source</summary>
        <${fe} text=${t} language="mermaid" isOpen=${!1} />
      </details>
    </figure>
  `}var $o=4e3;function Me({tex:t,isBlock:e}){let n=E(null);return w(()=>{let s=n.current;if(!s||t.length>$o)return;let o=!1;return import("./draw_formula.js").then(({drawFormula:r})=>{o||r(t,e,s)},()=>{}),()=>{o=!0}},[t,e]),a`
    <span key=${t} class=${e?"formula formula-block":"formula"} ref=${n}
      tabindex=${e?0:void 0}>${g(t)}</span>
  `}var _o=/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i,go=/^\/runs\/[\w-]+\/files\/[^/?#\\]+$/;function bn(t){let e=URL.parse(t);return e&&["http:","https:","mailto:"].includes(e.protocol)?e.href:null}function vn(t){return _o.test(t)||go.test(t)?t:null}function Q({address:t,children:e}){let n=bn(t);return n===null?a`<span class="no-link">${e} <code>${g(t.slice(0,200))}</code></span>`:a`<a href=${n} title=${g(n)} target="_blank" rel="noopener noreferrer">${e}</a>`}var gt=new Map,de=jt(gt);function wn({text:t}){let e=ln(de);return t.split(/(\[\d{1,3}\])/).map(n=>{let s=e.get(Number(n.slice(1,-1)));return n.startsWith("[")&&s!==void 0?a`<${Q} address=${s}>${n}<//>`:g(n)})}var kn={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:"\xA0",copy:"\xA9",reg:"\xAE",trade:"\u2122",hellip:"\u2026",mdash:"\u2014",ndash:"\u2013",times:"\xD7",middot:"\xB7",bull:"\u2022",deg:"\xB0",plusmn:"\xB1",larr:"\u2190",rarr:"\u2192",uarr:"\u2191",darr:"\u2193",le:"\u2264",ge:"\u2265",ne:"\u2260",euro:"\u20AC",sect:"\xA7"};function Ie(t){return t.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,(e,n,s,o)=>{if(o!==void 0)return Object.hasOwn(kn,o)?kn[o]:e;let r=n===void 0?parseInt(s,16):Number(n);return r>0&&r<=1114111?String.fromCodePoint(r):"\uFFFD"})}function M({tokens:t}){return t?.map(yo)}function yo(t){switch(t.type){case"strong":return a`<strong><${M} tokens=${t.tokens} /></strong>`;case"em":return a`<em><${M} tokens=${t.tokens} /></em>`;case"del":return a`
        <del>
          <${M} tokens=${t.tokens} />
        </del>
      `;case"codespan":return a`<code>${g(t.text)}</code>`;case"br":return a`<br />`;case"link":return a`
        <${Q} address=${Ie(t.href)}>
          <${de.Provider} value=${gt}>
            <${M} tokens=${t.tokens} />
            <//>
            <//>
      `;case"image":return bo(Ie(t.href),t.text);case"inlineFormula":return a`<${Me} tex=${t.tex} isBlock=${t.isBlock} />`;case"checkbox":return null;case"html":return/^<br\s*\/?>$/i.test(t.raw.trim())?a`<br />`:g(t.raw);case"escape":return g(t.text);default:return"tokens"in t&&t.tokens?a`<${M} tokens=${t.tokens} />`:a`<${wn} text=${Ie("text"in t?String(t.text):t.raw)} />`}}function bo(t,e){let n=vn(t);return n!==null?a`<img src=${n} alt=${g(e)} loading="lazy" />`:a`<${Q} address=${t}>Picture${e&&`: ${g(e)}`}<//>`}var pe=class extends Z{shouldComponentUpdate({block:e,isOpen:n}){let{props:s}=this;return n!==s.isOpen||e.type!==s.block.type||e.raw!==s.block.raw}render({block:e,isOpen:n}){return vo(e,n)}};function vo(t,e){switch(t.type){case"space":case"def":return null;case"heading":return H(`h${Math.min(6,t.depth+1)}`,null,H(M,{tokens:t.tokens}));case"paragraph":return a`
        <p>
          <${M} tokens=${t.tokens} />
        </p>
      `;case"code":return wo(t,e);case"blockFormula":return a`<${Me} tex=${t.tex} isBlock=${!0} />`;case"hr":return a`<hr />`;case"blockquote":return a`<blockquote>${xn(t.tokens,e)}</blockquote>`;case"list":return ko(t,e);case"table":return xo(t);case"html":return a`<p class="plain-text">${g(t.raw.trimEnd())}</p>`;default:return a`<${M} tokens=${"tokens"in t&&t.tokens?t.tokens:[t]} />`}}function xn(t,e){return t?.map((n,s)=>a`<${pe} key=${s} block=${n} isOpen=${e&&s===t.length-1} />`)}function wo({text:t,lang:e,raw:n},s){let o=/^[\w+#.-]*/.exec(e??"")[0].toLowerCase(),r=s&&!/\n {0,3}(?:```+|~~~+)[ \t]*\n*$/.test(n);return H(o==="mermaid"?yn:fe,{text:t,language:o,isOpen:r})}function ko({ordered:t,start:e,items:n},s){let o=n.map((r,i)=>a`<li key=${i} class=${r.task?"task":void 0}>
      ${r.task&&a`
        <input type="checkbox" disabled checked=${r.checked}
          aria-label=${r.checked?"Done":"Not done"} />
      `}
      ${xn(r.tokens,s&&i===n.length-1)}</li>`);return t?a`<ol start=${e===""?1:e}>${o}</ol>`:a`<ul>${o}</ul>`}function xo({header:t,rows:e}){let n=(s,o)=>s.map(({tokens:r,align:i},l)=>H(o,{key:l,class:i?`cell-${i}`:void 0,scope:o==="th"?"col":void 0},H(M,{tokens:r})));return a`
    <div class="table-scroll" tabindex="0" role="group" aria-label="Table">
      <table>
        <thead>
          <tr>${n(t,"th")}</tr>
        </thead>
        <tbody>${e.map((s,o)=>a`<tr key=${o}>${n(s,"td")}</tr>`)}</tbody>
      </table>
    </div>
  `}async function Sn({text:t,isOpen:e,before:n},s){let o=n!==null&&t.startsWith(n.text);if(o&&n.blocks===null)return{text:t,isOpen:e,blocks:null};let r=o?So(n):[],i=r.reduce((d,{raw:c})=>d+c.length,0),l=await s({text:t.slice(i),isOpen:e}),u=l&&[...r,...l];return{text:t,isOpen:e,blocks:u&&Tt(u)?u:null}}function So({text:t,blocks:e}){if(!e||e.some(({type:o})=>o==="def"))return[];let n=e.reduce((o,{raw:r})=>o+r.length,0)===t.length,s=e.flatMap(({type:o},r)=>o==="space"?[]:[r]);return n?e.slice(0,s.at(-2)??0):[]}var Co=3e5;function me({text:t,streaming:e=!1}){return t.length>Co?a`<${N} text=${t} label="Text" />`:a`<${To} text=${t.replace(/\r\n?/g,`
`)} streaming=${e} />`}function To({text:t,streaming:e}){let n=Eo(t,e);if(!n?.blocks)return a`<${N} text=${t} label="Text" />`;let{blocks:s,isOpen:o}=n,r=s.findLastIndex(({type:i})=>i!=="space");return a`<div class="prose">${s.map((i,l)=>a`<${pe} key=${l} block=${i} isOpen=${o&&l===r} />`)}</div>`}function Eo(t,e){let[n,s]=h(null),[o,r]=h(!1),[i]=h(()=>new AbortController);return w(()=>()=>i.abort(),[i]),w(()=>{o||n?.text===t&&n.isOpen===e||(r(!0),Sn({text:t,isOpen:e,before:n},l=>Le("blocks",l,i.signal)).then(l=>{s(l),r(!1)}))},[t,e,n,o]),n&&t.startsWith(n.text)?n:null}function Tn(t){let e=new Map,n=0;for(;n<t.length;){let s=Cn(t,n,"removed"),o=Cn(t,n+s.length,"added");if(s.length===o.length)for(let[r,i]of s.entries())Oo(i,o[r],e);n+=Math.max(1,s.length+o.length)}return e}function Cn(t,e,n){let s=e;for(;t[s]?.kind===n;)s++;return t.slice(e,s)}function Oo(t,e,n){let[s,o]=[t.text,e.text],r=Math.min(s.length,o.length),i=0;for(;i<r&&s[i]===o[i];)i++;let l=0;for(;l<r-i&&s.at(-1-l)===o.at(-1-l);)l++;i+l<r/3||(n.set(t,[i,s.length-l]),n.set(e,[i,o.length-l]))}var En=/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;function On(t){let e=[],n,s=t.replace(/\n$/,"").split(`
`);for(let[o,r]of s.entries())n&&(n.place.beforeLeft>0||n.place.afterLeft>0)?Po(n,r):r.startsWith("diff --git ")?e.push(n=yt(r.replace(/^diff --git .* (?=\S+$)/,""))):r.startsWith("--- ")&&s[o+1]?.startsWith("+++ ")?((!n||n.lines.some(({kind:i})=>i==="place"))&&e.push(n=yt("")),n.path=Ro(r,s[o+1])):En.test(r)?(n||e.push(n=yt("")),Ao(n,r)):n&&!/^(?:index |\+\+\+ )/.test(r)&&r!==""&&An(n,r);return e.filter(o=>o.lines.length>0).map(({path:o,lines:r})=>({path:o.replace(/^[ab]\//,""),lines:r,added:r.filter(({kind:i})=>i==="added").length,removed:r.filter(({kind:i})=>i==="removed").length}))}function Rn(t){let e=t.replace(/\n$/,"").split(`
`);if(!e.every(i=>/^[-+ ]/.test(i)||i===""))return null;let n=e.map(i=>({kind:i.startsWith("+")?"added":i.startsWith("-")?"removed":"same",text:i.slice(1),before:0,after:0})),s=i=>n.filter(({kind:l})=>l===i).length,[o,r]=[s("added"),s("removed")];return o+r===0?null:{path:"",lines:n,added:o,removed:r}}function yt(t){return{path:t,lines:[],place:{before:0,after:0,beforeLeft:0,afterLeft:0}}}function Ro(t,e){let[n,s]=[t,e].map(o=>o.slice(4).split("	")[0]);return s==="/dev/null"?n:s}function Ao({lines:t,place:e},n){let[,s,o="1",r,i="1"]=En.exec(n);Object.assign(e,{before:Number(s),after:Number(r)}),Object.assign(e,{beforeLeft:Number(o),afterLeft:Number(i)}),t.push({kind:"place",text:n,before:0,after:0})}function Po(t,e){let{lines:n,place:s}=t;if(e.startsWith("\\"))return An(t,e);let o=e.startsWith("+")?"added":e.startsWith("-")?"removed":"same",r=o!=="added",i=o!=="removed";n.push({kind:o,text:e.slice(1),before:r?s.before:0,after:i?s.after:0}),r&&([s.before,s.beforeLeft]=[s.before+1,s.beforeLeft-1]),i&&([s.after,s.afterLeft]=[s.after+1,s.afterLeft-1])}function An({lines:t},e){t.push({kind:"note",text:e,before:0,after:0})}var No=300,Pn=1e3,Lo=6e4,he=2e3,Do={same:" ",added:"+",removed:"-",place:"",note:""};function B({text:t}){let e=F(()=>{let n=On(t),s=n.length===0?Rn(t):null;return s?[s]:n},[t]);return e.length===0?a`<${N} text=${t} label="Changes" />`:a`<div class="file-diffs">${e.map((n,s)=>a`<${Mo} key=${s} file=${n} />`)}</div>`}function Mo({file:{path:t,lines:e,added:n,removed:s}}){let[o,r]=h(Io(e));return a`<details class="file-diff" open=${o} onToggle=${({currentTarget:l})=>r(l.open)}>
    <summary><span class="file-path">${g(t)||"Changes"}</span>
      ${n+s>0&&a`
      <span class="added-count">+${n}<span class="unseen"> lines added,</span></span>
      <span class="removed-count">−${s}<span class="unseen"> lines removed</span></span>
    `}
    </summary>
    ${o&&a`<${Fo} lines=${e} path=${t} />`}
  </details>`}function Io(t){return t.length<=No&&t.reduce((e,{text:n})=>e+n.length,0)<=Lo}function Fo({lines:t,path:e}){let[n,s]=h(Pn),o=F(()=>Tn(t),[t]),r=F(()=>t.some(({before:i,after:l})=>i+l>0),[t]);return a`<div class="diff-scroll" tabindex="0" role="group" aria-label=${`Changes of ${g(e)}`}>
    <table class="diff-lines"><tbody>${t.slice(0,n).map((i,l)=>a`
        <tr key=${l} class=${`diff-${i.kind}`}>
          ${r&&a`
            <td class="line-number" data-number=${i.before||""}></td>
            <td class="line-number" data-number=${i.after||""}></td>
          `}
          <td class="line-sign">${Do[i.kind]}</td>
          <td class="line-text">${Wo(i,o.get(i))}</td>
        </tr>
      `)}</tbody></table>
    ${n<t.length&&a`<button type="button" class="small" onClick=${()=>s(n+Pn)}>
      Show more of ${t.length-n} lines
    </button>`}
  </div>`}function Wo({text:t,kind:e},n){if(!n||n[0]>=n[1])return g(bt(t));let[s,o]=n,r=g(bt(t.slice(s,o))),i=e==="added"?a`<ins>${r}</ins>`:a`<del>${r}</del>`,l=t.slice(0,s),u=l.length>he?`\u2026${l.slice(-he)}`:l;return[g(u),i,g(bt(t.slice(o)))]}function bt(t){return t.length<=he?t:`${t.slice(0,he)}\u2026 (${t.length-he} more characters)`}var Nn=["not_started","in_progress","completed","blocked"];function Mn(t,e){if($e(t)){let n=Object.values(t).find(Fe);if(n!==void 0)return{kind:"diff",text:n};let s=Dn(t,i=>typeof i.url=="string");if(s)return{kind:"pages",pages:s.map(Ho)};let o=Dn(t,i=>Uo(i.status)&&typeof i.text=="string");if(o)return{kind:"steps",steps:o};let r=jo(t)??Object.values(t).find(Ln);if(r!==void 0)return{kind:"terminal",text:r}}return Fe(e)?{kind:"diff",text:e}:Ln(e)?{kind:"terminal",text:e}:{kind:"text"}}function Fe(t){return typeof t=="string"&&/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(t)&&/^(?:---|diff --git|@@) /.test(t)}function $e(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)}function jo({session_id:t,output:e}){return typeof t=="string"&&typeof e=="string"&&e.trim()!==""?e:void 0}function Ln(t){return typeof t=="string"&&t.includes("\x1B[")}function Uo(t){return Nn.some(e=>e===t)}function Dn(t,e){let n=Object.values(t);return[...n,...n.filter($e).flatMap(r=>Object.values(r))].find(r=>Array.isArray(r)&&r.length>0&&r.every(i=>$e(i)&&e(i)))??null}function Ho({url:t,title:e,snippet:n,number:s}){return{url:String(t),title:typeof e=="string"&&e!==""?e:String(t),snippet:typeof n=="string"?n:"",number:typeof s=="number"?s:null}}var qo=80;function In({tool:t,input:e}){if(!$e(e))return a`<${N} text=${JSON.stringify(e,null,2)??""} label=${`Arguments of ${t}`} />`;let n=Object.keys(e);return n.length===0?a`<p class="hint">None.</p>`:a`<dl class="arguments">${n.map(s=>{let o=Vo(e[s]),r=o.length<=qo&&!o.includes(`
`);return a`
        <div key=${s} class=${r?"short-argument":void 0}>
          <dt>${g(s)}</dt>
          <dd>${r?a`<code>${g(o)}</code>`:Bo(s,o)}</dd>
        </div>
      `})}</dl>`}function Vo(t){return typeof t=="string"?t:JSON.stringify(t,null,2)??""}function Bo(t,e){return Fe(e)?a`<${B} text=${e} />`:a`<${N} text=${e} label=${t} lines=${12} />`}var Ko=/^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/,Go=/\.(?:png|jpe?g|gif|webp|avif|svg)$/i;function We({tool:t,result:{images:e,artifacts:n},run:s}){let o=e.filter(({mime_type:u})=>Ko.test(u)).map(({mime_type:u,data:d},c)=>({source:`data:${u};base64,${d}`,words:`Picture ${c+1} of ${t}`})),i=(s===void 0||o.length>0?[]:n.filter(({name:u})=>Go.test(u))).map(({name:u})=>({source:`/runs/${encodeURIComponent(s)}/files/${encodeURIComponent(u)}`,words:u})),l=[...o,...i];return l.length===0?null:a`<div class="result-pictures">${l.map(({source:u,words:d})=>a`<img key=${u} src=${u} alt=${g(d)} loading="lazy" />`)}</div>`}var Hn=Rs(Wn());var ne="\x1B",jn="\x07",zo=new RegExp(`${ne}[\\]PX^_][^${jn}${ne}]*(?:${jn}|${ne}\\\\)?|${ne}\\[[0-9;?<=>!]*[@-ln-~]|${ne}[()][A-Z0-9]|${ne}[=>78cDEHMNOZ]`,"g"),qn=/^\d{1,3}, ?\d{1,3}, ?\d{1,3}$/,Xo=.24,Yo=2e5;function Vn({text:t}){let e=t.slice(0,Yo),n=Hn.default.ansiToJson(Qo(e.replace(zo,"")),{json:!0,remove_empty:!0});return a`<pre class="screen" tabindex="0" role="group" aria-label="Terminal">${n.map(({content:s,fg:o,bg:r,decorations:i},l)=>a`
        <span key=${l} class=${i.map(u=>`screen-${u}`).join(" ")}
          style=${{color:r?Un(o):Zo(o),backgroundColor:Un(r)}}>${g(s)}</span>
      `)}${e.length<t.length&&`
\u2026`}</pre>`}function Qo(t){return t.split(`
`).map(e=>{let n=e.replace(/\r+$/,"");return n.slice(n.lastIndexOf("\r")+1)}).join(`
`)}function Un(t){return t&&qn.test(t)?`rgb(${t})`:void 0}function Zo(t){if(!t||!qn.test(t))return;let e=t.split(",").map(Number);for(;er(e)<Xo;)e=e.map(n=>n+(255-n)/4);return`rgb(${e.map(Math.round).join(", ")})`}function er(t){let[e=0,n=0,s=0]=t.map(o=>(o/255)**2.2);return .2126*e+.7152*n+.0722*s}function Bn({pages:t}){return a`<ul class="page-list">${t.map(({url:e,title:n,snippet:s,number:o},r)=>a`
        <li key=${r}>
          <p class="page-line">
              ${o!==null&&a`
                <span class="source-number">[${o}]</span>
              `}
              <${Q} address=${e}>${g(n)}<//>
              ${n!==e&&a`
                <span class="hint">${tr(e)}</span>
              `}
              </p>${s&&a`<p class="hint">${g(s.slice(0,400))}</p>`}
            </li>
      `)}</ul>`}function tr(t){return URL.parse(t)?.host??""}var Kn={not_started:["\u25CB","Not started"],in_progress:["\u25D0","In progress"],completed:["\u25CF","Done"],blocked:["\u2715","Blocked"]};function Gn({steps:t}){return a`<ol class="step-list">${t.map(({text:e,status:n},s)=>a`<li key=${s} class=${`step-${n}`}>
      <span aria-hidden="true">${Kn[n][0]}</span>
      <span class="unseen">${Kn[n][1]}:</span> ${g(e)}</li>`)}</ol>`}function Jn({tool:t,result:e,run:n}){let{text:s,error:o,artifacts:r,warnings:i}=e,l=Mn(e.result,s);return a`<div class="result">
    ${o&&a`<${nr} error=${o} />`}
    ${sr(l)}
    ${or(l,s,o)}
    <${We} tool=${t} result=${e} run=${n} />
    ${r.length>0&&a`<${rr} artifacts=${r} run=${n} />`}
    ${i.map((u,d)=>a`<p class="warning" key=${d}>${g(u)}</p>`)}
    <${zn} value=${e.result} />
  </div>`}function nr({error:{code:t,message:e,retryable:n,details:s}}){let o=Object.keys(s).length>0;return a`<div class="failure">
    <p class="error-text"><b>${t}</b> ${g(e)}</p>
    ${n&&a`<p class="hint">The same call may succeed later.</p>`}
    ${o&&a`<${zn} value=${s} words="Details" />`}
  </div>`}function sr(t){switch(t.kind){case"diff":return a`<${B} text=${t.text} />`;case"pages":return a`<${Bn} pages=${t.pages} />`;case"steps":return a`<${Gn} steps=${t.steps} />`;case"terminal":return a`<${Vn} text=${t.text} />`;case"text":return null}}function or(t,e,n){return e===""||n&&e.includes(n.message)?null:t.kind==="text"?a`<${N} text=${e} label="Result" />`:a`
    <details class="more">
      <summary>What the model saw</summary>
      <${N} text=${e} label="What the model saw" />
    </details>
  `}function rr({artifacts:t,run:e}){return a`<ul class="result-files">${t.map(({name:n,bytes:s})=>a`<li key=${n}>${e===void 0?g(n):a`
          <a href=${`/runs/${encodeURIComponent(e)}/files/${encodeURIComponent(n)}`} target="_blank"
            rel="noopener noreferrer">${g(n)}</a>
        `} <span class="hint">${s} bytes</span></li>`)}</ul>`}function zn({value:t,words:e="Output as JSON"}){return typeof t!="object"||t===null?null:a`
    <details class="more">
      <summary>${e}</summary>
      <${N} text=${JSON.stringify(t,null,2)} label=${e} />
    </details>
  `}function Xn({call:t,runId:e,folder:n,isAtWork:s}){let{tool:o,input:r,result:i,refusals:l,progress:u}=t,[d,c]=h(!1),m=({currentTarget:p})=>c(p.open);return a`<details class=${`call call-${ur(t,s)}`} onToggle=${m}>
    <summary>
      <${ir} tool=${o} />
      <span class="call-input">${g(lr(r,i?.ok===!1?"":i?.metadata.summary))}${i?.ok===!1&&a`<${ar} error=${i.error} folder=${n} />`}</span>
      <span class="call-facts"><${cr} call=${t} isAtWork=${s} /></span>
    </summary>
    ${d&&a`<${dr} call=${t} runId=${e} />`}
  </details>
  ${u&&!i&&s&&a`<${mr} progress=${u} />`}
  ${l.map((p,f)=>a`<${hr} key=${f} refusal=${p} />`)}
  ${!d&&i&&a`<${We} tool=${o} result=${i} run=${e} />`}`}function ir({tool:t}){let e=t.lastIndexOf("/")+1;return a`
    <span class="call-name">${e>0&&a`<span class="call-set">${t.slice(0,e)}</span>`}${t.slice(e)}</span>
  `}function ar({error:t,folder:e}){let n=t??{code:"failed",message:"It failed"};return a`<span class="call-error" title=${n.code}> ${g(pn(n,e))}</span>`}function lr(t,e){return[mn(t),e].filter(n=>n).join(" \u2192 ")}function ur({result:t},e){return t?t.ok?"done":"failed":e?"running":"lost"}function cr({call:{result:t,started:e,isRecorded:n},isAtWork:s}){return t?a`${te(t.metadata.duration_ms)}${n?" \xB7 recorded":""}`:s?a`<${fr} since=${e} />`:a`did not end`}function fr({since:t}){let[e,n]=h(Date.now());return w(()=>{let s=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(s)},[]),a`<span class="busy">${te(Math.max(0,e-Date.parse(t)))}</span>`}function dr({call:{tool:t,input:e,result:n,programs:s},runId:o}){return a`<div class="call-body">
    <p class="small-head">Arguments</p>
    <${In} tool=${t} input=${e} />
    ${s.length>0&&a`<${pr} programs=${s} />`}
    <p class="small-head">Result</p>
    ${n?a`<${Jn} tool=${t} result=${n} run=${o} />`:a`<p class="hint">There is none yet.</p>`}
  </div>`}function pr({programs:t}){return a`
    <p class="small-head">Programs</p>
    <ul class="programs">${t.map(({program:e,words:n,sandboxed:s,end:o})=>a`<li key=${e}><code>${n}</code>
        <span class="hint">${s?"in the sandbox":"without a sandbox"}, ${o??"runs"}</span></li>`)}</ul>
  `}function mr({progress:t}){let{message:e,output:n,done:s,total:o}=t;return a`<div class="progress">
    ${e&&a`<span class="hint">${e}</span>`}
    ${s!==void 0&&o!==void 0&&a`<progress value=${s} max=${o} aria-label="Progress">${s} of ${o}</progress>`}
    ${n&&a`<pre class="last-lines">${n}</pre>`}
  </div>`}function hr({refusal:{text:t,flag:e}}){return a`<div class="refusal"><p><b>Refused.</b> ${t}.</p>
    ${e&&a`<p>Allow it with <code>${e}</code> when the server starts. <${D} text=${e} /></p>`}
  </div>`}var wt=200;function je({items:t,...e}){let{isAtWork:n}=e,[s,o]=h(wt);_r(t,n);let r=Math.max(0,t.length-s);return a`<div class="transcript">
    ${r>0&&a`<button type="button" class="quiet-button" onClick=${()=>o(s+wt)}>
      Show ${Math.min(r,wt)} of ${r} earlier lines</button>`}
    ${t.slice(r).map(i=>a`<${gr} key=${i.key} item=${i} ...${e} />`)}
  </div>`}var $r=120;function _r(t,e){let n=E(!0);L(()=>{let s=()=>{let{scrollHeight:o,clientHeight:r,scrollTop:i}=document.documentElement;n.current=o-r-i<$r};return addEventListener("scroll",s,{passive:!0}),()=>removeEventListener("scroll",s)},[]),L(()=>{e&&n.current&&scrollTo({top:document.documentElement.scrollHeight})},[t,e])}function gr({item:t,runId:e,folder:n,isAtWork:s}){return F(()=>a`<div class=${`item item-${t.kind}`}>${yr(t,{runId:e,folder:n,isAtWork:s})}</div>`,[t,s,e])}function yr(t,e){switch(t.kind){case"text":return a`<${me} text=${t.text} streaming=${t.isOpen} />`;case"call":return a`<${Xn} call=${t.call} ...${e} />`;case"said":return a`<p class="said">${t.text}</p>`;case"note":return a`<p class=${`note ${t.tone}`}>${t.text}</p>`;case"end":return a`<${br} end=${t.end} />`}}function br({end:{reason:t,answer:e,changed:n,refused:s}}){return a`<div class="end">
    ${e!==null&&a`<${me} text=${e} />`}
    <p class="note">${dn(t)}${n.length>0&&a`, ${n.length} ${n.length===1?"file":"files"} changed`}.</p>
    ${s.length>0&&a`
      <details class="refused">
        <summary>${s.length} refused</summary>
        <ul>${s.map(({tool:o,message:r,flags:i},l)=>a`<li key=${l}><b>${o}</b> ${r}
          ${i.length>0&&a`<span><code>${i.join(" ")}</code> <${D} text=${i.join(" ")} /></span>`}</li>`)}</ul>
      </details>
    `}
  </div>`}var vr=700;function Yn({control:t}){let[e,n]=h([]),[s,o]=h(1);w(()=>{t.attempt(t.api.demo()).then(l=>l!==null&&n(cn(l)))},[]);let r=e.length>0&&s>=e.length;w(()=>{if(e.length===0||r)return;let l=setTimeout(()=>o(s+1),vr);return()=>clearTimeout(l)},[e,s]);let i=Ce(Oe,e.slice(0,s));return a`
    <article class="run" aria-labelledby="demo-title">
      <header class="run-head">
        <h1 id="demo-title">A recorded run</h1>
        <div class="actions">${r?a`<button type="button" onClick=${()=>o(1)}>Play again</button>`:a`<button type="button" onClick=${()=>o(e.length)}>Show all</button>`}</div>
        <p
          class="hint run-line">An agent fixes a bug in a small shop. It is played back: no model is asked, and nothing runs.</p>
      </header>
      <${je} items=${i.items} runId="demo" folder="/home/you/shop" isAtWork=${!r} />
    </article>
  `}var Qn=["pointerdown","focusin"];function Ue({run:t,control:e}){let{id:n,task:s}=t,o=E(null),[r,i]=h(!1),[l,u]=h(!1),d=()=>{i(!1),u(!1),o.current&&(o.current.open=!1)},[c,m]=h(!1);w(()=>{if(!c)return;let y=({target:_})=>{_ instanceof Node&&!o.current?.contains(_)&&d()};for(let _ of Qn)addEventListener(_,y);return()=>{for(let _ of Qn)removeEventListener(_,y)}},[c]);let p=({key:y})=>{y!=="Escape"||!o.current?.open||(d(),o.current.querySelector("summary")?.focus())},f=()=>{d(),e.again(t)},$=()=>void navigator.clipboard.writeText(n).then(()=>u(!0)),b=()=>{if(!r)return i(!0);d(),e.remove(n)};return a`
    <details class="menu" ref=${o} onToggle=${()=>m(o.current?.open===!0)} onKeyDown=${p}>
      <summary aria-label=${`More for the run ${s.slice(0,60)}`} title="More">⋯</summary>
      <div class="menu-list">
        <button type="button" onClick=${f}>Run again</button>
        <button type="button" onClick=${$}>${l?"Copied":"Copy id"}</button>
        <a class="button" href=${`${O(n)}/export`} download=${`run-${n}.html`} onClick=${d}>Export HTML</a>
        <button type="button" class="danger" onClick=${b}>${r?"Really remove it?":"Remove"}</button>
      </div>
    </details>
  `}function He({state:t}){return a`<span class=${`state state-${t}`}>${t}</span>`}function Zn({state:t,control:e}){let{list:{search:n,rows:s,next:o,isLoaded:r},route:i}=t,l=i.at==="run"?i.id:null;return a`<nav class="runs" aria-label="Runs">
    <a class="button primary new-run" href="#/">New run</a>
    <label class="search"><span class="unseen">Search runs</span>
      <input type="search" placeholder="Search runs" value=${n} onInput=${({currentTarget:d})=>void e.searchRuns(d.value)} /></label>
    <ul>${s.map(d=>a`<${wr} key=${d.id} row=${d} isShown=${d.id===l} control=${e} />`)}</ul>
    ${r&&s.length===0&&a`<p class="hint">${n?"No run has these words.":"No run yet."}</p>`}
    ${o!==null&&a`<button type="button" class="quiet-button" onClick=${()=>void e.moreRuns()}>
      Show older runs</button>`}
  </nav>`}function wr({row:t,isShown:e,control:n}){let s=fn(t,Date.now());return a`<li class="row"><a href=${Te(t.id)} aria-current=${e?"page":void 0}
      title=${[t.model,Pe(t.usage)].filter(o=>o).join(" \xB7 ")}>
    <span class="row-task">${t.task||"(no words)"}</span>
    <span class="row-facts"><${He} state=${t.state} />${s.length>0&&a`<span>${s.map(o=>` \xB7 ${o}`).join("")}</span>`}</span>
  </a><${Ue} run=${t} control=${n} /></li>`}function qe({chips:t,onChip:e}){return a`<ul class="chips" aria-label="What the run may touch">${t.map(({words:n,field:s})=>a`<li key=${n}>${e?a`<button type="button" class="chip" onClick=${()=>e(s)}>${n}</button>`:a`<span class="chip">${n}</span>`}</li>`)}</ul>`}function Be(t,e,n={}){let{allow:s,deny:o,secrets:r}=t,i=n.policy??t.policy,l=i.startsWith("read-only"),u=c=>[...ts(o[c],e),...ts(n[`deny_${c}`],e)],d=i==="read-only-no-net"||o.net===!0||n.deny_net===!0;return[{words:es("reads",s.read,{folder:e,not:u("read"),isNothing:o.read===!0}),field:"denyRead"},{words:es("writes",s.write,{folder:e,not:u("write"),isNothing:l||o.write===!0||n.deny_write===!0}),field:"denyWrite"},{words:`tools: ${d?"no network":ns(s.net,"public web",u("net"))}`,field:"denyNet"},{words:`programs: ${kr(t,{noNet:d,without:n,not:u("run")})}`,field:"denyRun"},{words:r.length===0?"secrets closed":`secrets open in ${r.map(kt).join(", ")}`,field:"denyRead"},...n.tools===void 0?[]:[{words:`only ${n.tools.length} tools`,field:null}]]}function es(t,e,{folder:n,not:s,isNothing:o}){let r=Array.isArray(e)?e:[];if(o||e!==!0&&r.length===0)return`${t} nothing`;let i=r.filter(u=>u!==n&&!n.startsWith(`${u}/`)).map(kt),l=e===!0?"everything":[kt(n),...i].join(", ");return`${t} ${l}${Ve(s)}`}function ns(t,e,n){if(t===!0)return`${e}${Ve(n)}`;let s=(Array.isArray(t)?t:[]).map(o=>o==="public"?e:o);return s.length===0?"no network":`${ss(s)}${Ve(n)}`}function kr({programs:{boxed:t,net:e},deny:n},{noNet:s,without:o,not:r}){if(n.run===!0||o.deny_run===!0)return"none";let i=t?"in a sandbox":"no sandbox, only those that are named";return e==="host"?`${i}, the network of this machine`:`${i}, ${s?"no network":ns(e,"public web",[])}${Ve(r)}`}function Ve(t){return t.length===0?"":` but not ${ss(t)}`}function ss(t){let e=t.length-3;return e>0?`${t.slice(0,3).join(", ")} and ${e} more`:t.join(", ")}function ts(t,e){return Array.isArray(t)?t.map(String).map(n=>n.startsWith(`${e}/`)?n.slice(e.length+1):n):[]}function kt(t){return t.split("/").at(-1)||t}var xr=/\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i,Sr={added:["after"],modified:["before","after"],deleted:["before"]};function os({id:t,changed:e,version:n}){let s=e.filter(({path:o})=>xr.test(o));return s.length===0?null:a`<section class="changed-pictures" aria-label="Changed pictures">${s.map(({path:o,status:r})=>a`
        <div key=${o} class="picture-pair">
          <h2 class="small-head path">${o}</h2>
          <div class="sides">${Sr[r].map(i=>a`
              <figure key=${i}>
                <img src=${Cr(t,o,{side:i,version:n})} alt=${`${o}, ${i}`} loading="lazy" />
                <figcaption class="hint">${i==="before"?"Before":"Now"}</figcaption>
              </figure>
            `)}</div>
        </div>
      `)}</section>`}function Cr(t,e,{side:n,version:s}){let o=e.split("/").map(encodeURIComponent).join("/");return`${O(t)}/changed/${o}?side=${n}#${encodeURIComponent(s)}`}function rs({control:t,now:e,files:n}){let[s,o]=h(null),[r,i]=h(null),{id:l,updated:u}=e;if(w(()=>{let p=!1;return t.attempt(t.api.diff(l)).then(f=>{f!==null&&!p&&o(f)}),()=>void(p=!0)},[l,u,r]),!n||s===null)return a`<p class="hint">Reading the changes…</p>`;let{changed:d,artifacts:c,waits:m=!1}=n;return a`<div class="changes">
    ${r&&a`<${Or} undone=${r} />`}
    ${d.length===0&&!r&&a`<p class="hint">The run changed no file.</p>`}
    <ul class="changed">${d.map(({path:p,status:f,added:$,removed:b})=>a`<li key=${p}><span class=${`status status-${f}`}>${f}</span> <code>${p}</code>
        ${$!==null&&a`<span class="plus">+${$}</span>`}
        ${b!==null&&a`<span class="minus">−${b}</span>`}</li>`)}</ul>
    ${e.can.undo&&d.length>0&&a`<${Er} control=${t} id=${l} onDone=${i} />`}
    ${m&&a`<${Tr} id=${l} />`}
    ${!m&&a`
      <${os} id=${l} changed=${d}
        version=${`${u} ${r?.done.length??""}`} />
    `}
    ${s&&a`<${B} text=${s} />`}
    ${c.length>0&&a`<${Rr} id=${l} artifacts=${c} />`}
  </div>`}function Tr({id:t}){let e=`bulkhead apply ${t}`;return a`
    <p class="hint">
      These changes are in a copy of the folder. Bring them in with <code>${e}</code>
      <${D} text=${e} />
    </p>
  `}function Er({control:t,id:e,onDone:n}){let s=E(null),o=async()=>{s.current?.close();let r=await t.attempt(t.api.undo(e));r&&n(r)};return a`
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
  `}function Or({undone:{done:t,refused:e}}){let n=E(null);return L(()=>n.current?.focus(),[]),a`
    <div class="undone" role="status" tabindex="-1" ref=${n}>
      <p>${t.length>0?"The changes are undone.":"Nothing was undone."}</p>
      <ul>
          ${t.map(({path:s,action:o})=>a`<li key=${s}><code>${s}</code> ${o==="remove"?"was removed":"was put back"}</li>`)}
          ${e.map(({path:s,reason:o})=>a`<li key=${s}><code>${s}</code>: ${o}</li>`)}
        </ul>
    </div>
  `}function Rr({id:t,artifacts:e}){return a`
    <section>
      <h2 class="small-head">Files of the session</h2>
      <ul class="artifacts">${e.map(({name:n,type:s,bytes:o})=>{let r=`${O(t)}/files/${n.split("/").map(encodeURIComponent).join("/")}`;return a`<li key=${n}><a href=${r} target="_blank" rel="noopener">${n}</a>
        <span class="hint">${Math.ceil(o/1024)} KiB</span>
        ${s.startsWith("image/")&&a`<img src=${r} alt=${n} loading="lazy" />`}</li>`})}</ul>
    </section>
  `}var Ar={not_started:"\u25CB",in_progress:"\u25D0",completed:"\u25CF",blocked:"\u2715"};function is({plan:t}){let e=t.steps.filter(({status:n})=>n==="completed").length;return a`
    <details class="plan" open>
      <summary><b>${t.title||"Plan"}</b> <span class="hint">${e} of ${t.steps.length} done</span></summary>
      <ol>${t.steps.map(({text:n,status:s,notes:o},r)=>a`<li key=${r} class=${`step step-${s}`} aria-current=${s==="in_progress"?"step":void 0}>
        <span class="step-sign" aria-hidden="true">${Ar[s]}</span>
        <span>${n} <span class="unseen">(${s.replaceAll("_"," ")})</span>
          ${o&&a`<span class="hint">${o}</span>`}</span></li>`)}</ol>
    </details>
  `}function as(t){let[e,n]=h(t.value);return w(()=>(n(t.value),t.listen(()=>n(t.value))),[t]),e}function se(t){return t.key!=="Enter"||t.isComposing||t.keyCode===229?!1:t.ctrlKey||t.metaKey?!0:!t.shiftKey&&!t.altKey&&!matchMedia("(pointer: coarse)").matches}function ls(t){let{question:{kind:e,text:n}}=t;return a`<section class="question" aria-label=${e==="consent"?"Consent is needed":"A question"}>
    <h2>${e==="consent"?"Allow this call?":"The run asks"}</h2>
    <${me} text=${n} />
    ${e==="consent"?a`<${Nr} ...${t} />`:a`<${Pr} ...${t} />`}
  </section>`}function us(){let t=E(null);return L(()=>{document.activeElement?.matches("body, #panel")&&t.current?.focus()},[]),t}function Pr({question:{id:t},onAnswer:e}){let[n,s]=h(""),o=us(),[r,i]=h(!1),l=async u=>{u.preventDefault(),!(n.trim()===""||r)&&(i(!0),await e({question:t,answer:n}),i(!1))};return a`
    <form onSubmit=${l}>
      <label class="field"><span class="field-name">Your answer</span>
          <textarea rows="3" value=${n} ref=${o}
            onInput=${({currentTarget:u})=>s(u.value)}
            onKeyDown=${u=>se(u)&&void l(u)}></textarea></label>
      <div class="actions"><button type="submit" class="primary" disabled=${n.trim()===""||r}>
          Answer</button></div>
    </form>
  `}function Nr({question:t,onAnswer:e}){let{id:n,text:s,tool:o,input:r,change:i,targets:l=[],always:u,until:d}=t,[c,m]=h(""),[p,f]=h(!1),$=async _=>{if(p)return;f(!0);let v=c.trim();await e({question:n,consent:_,..._==="no"&&v!==""&&{reason:v}}),f(!1)},b=_=>{_.target instanceof HTMLInputElement||_.ctrlKey||_.metaKey||_.altKey||(_.key==="y"&&$("once"),_.key==="a"&&u&&$("run"),_.key==="n"&&$("no"))},y=us();return a`<div class="consent" ref=${y} tabindex="-1" onKeyDown=${b}>
    ${o&&!s.includes(o)&&a`<p><code>${o}</code></p>`}
    ${l.length>0&&a`<ul class="targets">${l.map((_,v)=>a`<li key=${v}>${Dr(_)}</li>`)}</ul>`}
    ${i?a`<${B} text=${i} />`:r!==void 0&&a`<pre tabindex="0" role="group" aria-label="Arguments">${JSON.stringify(r,null,2)}</pre>`}
    <label class="field"><span class="field-name">Reason, if you refuse</span>
      <input type="text" value=${c} placeholder="The model reads it"
        onInput=${({currentTarget:_})=>m(_.value)} /></label>
    <div class="actions">
      <button type="button" class="primary" disabled=${p} onClick=${()=>void $("once")}>
        Allow once <kbd>y</kbd></button>
      ${u&&a`<button type="button" disabled=${p} title=${u} onClick=${()=>void $("run")}>
        Allow in this run <kbd>a</kbd></button>`}
      <button type="button" class="danger" disabled=${p} onClick=${()=>void $("no")}>
        Refuse <kbd>n</kbd></button>
    </div>
    ${u&&a`<p class="hint">“Allow in this run” covers: ${u}</p>`}
    ${d&&a`<${Lr} until=${d} />`}
  </div>`}function Lr({until:t}){let[e,n]=h(Date.now());w(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(o)},[]);let s=Math.max(0,Math.ceil((Date.parse(t)-e)/1e3))*1e3;return a`<p class="hint">Without an answer it counts as refused in ${te(s)}.</p>`}function Dr(t){return typeof t!="object"||t===null?String(t):Object.values(t).filter(e=>typeof e!="object").map(String).join(" ")}var fs=["image/png","image/jpeg","image/webp","image/gif"],Mr=25*1024*1024,Ir=38*1024*1024,cs=12,Ke={pictures:[],problem:""};function Ge(){let[t,e]=h(Ke);return{...t,async add(n){let s=[...n],o=s.filter(({type:l,size:u})=>fs.includes(l)&&u<=Mr),r=s.find(l=>!o.includes(l));e(({pictures:l})=>({...Ke,pictures:l}));let i=await Promise.all(o.map(Wr));e(({pictures:l,problem:u})=>Fr([...l,...i],{refused:r,problem:u}))},remove:n=>e(({pictures:s})=>({...Ke,pictures:s.filter((o,r)=>r!==n)})),clear:()=>e(Ke)}}function Fr(t,{refused:e,problem:n}){let s=0,o=t.slice(0,cs).filter(({data_url:r})=>(s+=r.length)<=Ir);return e?{pictures:o,problem:`${e.name} is left out: take PNG, JPEG, WebP or GIF with at most 25 MiB.`}:o.length===t.length?{pictures:o,problem:n}:{pictures:o,problem:`At most ${cs} pictures with 28 MiB together go with a prompt.`}}function Wr(t){return new Promise((e,n)=>{let s=new FileReader;s.onload=()=>e({name:t.name,data_url:String(s.result)}),s.onerror=()=>n(s.error),s.readAsDataURL(t)})}function Je({add:t}){let e=(n,s)=>{s.length!==0&&(n.preventDefault(),t(s))};return{onPaste:n=>{let s=n.clipboardData;s&&!s.types.includes("text/plain")&&e(n,[...s.files])},onDrop:n=>e(n,[...n.dataTransfer?.files??[]]),onDragOver:n=>{n.dataTransfer?.types.includes("Files")&&n.preventDefault()}}}function ze({add:t}){let e=({currentTarget:n})=>{t([...n.files??[]]),n.value=""};return a`<label class="button quiet-button">
    <input class="unseen" type="file" multiple accept=${fs.join(",")} onChange=${e} />Add pictures
  </label>`}function Xe({pictures:t,problem:e,remove:n}){return t.length===0&&e===""?null:a`<div class="pictures">
    ${t.map(({name:s="Picture",data_url:o},r)=>a`
        <figure key=${r}>
          <img src=${o} alt=${s} />
          <button type="button" aria-label=${`Remove ${s}`} onClick=${()=>n(r)}>×</button>
        </figure>
      `)}
    ${e&&a`<p class="hint warning" role="alert">${e}</p>`}
  </div>`}function ds({id:t,control:e}){let[n,s]=h(""),[o,r]=h(!1),i=Ge(),l=async u=>{if(u.preventDefault(),o)return;r(!0);let d=await e.resume(t,{...n.trim()!==""&&{prompt:n},...i.pictures.length>0&&{images:[...i.pictures]}});r(!1),d&&(s(""),i.clear())};return a`
    <form class="resume prompt-box" onSubmit=${l} ...${Je(i)}>
      <label class="unseen" for="more">What to do next</label>
      <textarea id="more" rows="2" placeholder="Ask for more, or go on where it stopped." value=${n}
        onInput=${({currentTarget:u})=>s(u.value)}
        onKeyDown=${u=>se(u)&&void l(u)}></textarea>
      <${Xe} ...${i} />
      <div class="actions"><${ze} ...${i} />
          <button type="submit" class="primary" disabled=${o}>${n.trim()===""?"Continue":"Send"}</button></div>
    </form>
  `}function ps({sources:t}){return t?t.length===0?a`<p class="hint">The run used no sources.</p>`:a`<ol class="sources">${t.map(({number:e,title:n,url:s})=>a`<li key=${e} value=${e}>${xt(s)?a`<a href=${s} target="_blank" rel="noopener noreferrer">${n||s}</a>`:n||s}<span class="hint path">${s}</span></li>`)}</ol>`:a`<p class="hint">Reading the sources…</p>`}function xt(t){return/^https?:/.test(t)}function ms(t,e,n){return $s(t,e,n,s=>t.api.sources(s))}function hs(t,e,n){return $s(t,e,n,s=>t.api.files(s))}function $s(t,e,n,s){let[o,r]=h(null),{id:i=null,updated:l=null}=e??{};return w(()=>{if(i===null||!n)return;let u=!1;return t.attempt(s(i)).then(d=>{d&&!u&&r({id:i,left:d})}),()=>void(u=!0)},[i,l,n]),o?.id===i?o.left:null}function jr(t,{files:e,sources:n}){let s=t!==null&&!Ye(t),r=[{name:"Changes",count:e&&(e.changed.length||e.artifacts.length)},{name:"Sources",count:n&&n.length}];return[{name:"Run",count:null},...r.filter(({count:i})=>!s||i!==null&&i>0)]}function _s({run:t,control:e}){let[n,s]=h("Run"),{now:o,link:r}=t,i=qr(o,t.isNew),l=ms(e,o,n==="Sources"||o!==null&&!Ye(o)),u=F(()=>Ur(l??[]),[l]),d=hs(e,o,n==="Changes"||o!==null&&!Ye(o)),c=jr(o,{files:d,sources:l});return w(()=>{c.some(({name:m})=>m===n)||s("Run")}),r==="missing"?a`<${Hr} />`:o?a`<article class="run" aria-labelledby="run-title" onFocusIn=${i}>
    <${Vr} now=${o} control=${e} />
    ${c.length>1&&a`<${Br} tabs=${c} tab=${n} onChange=${s} />`}
    <div role="tabpanel" id="panel" tabindex="-1" aria-labelledby=${`tab-${n}`}>
      ${n==="Run"&&a`
      <${de.Provider} value=${u}>
        <${Kr} run=${t} now=${o} control=${e} />
        <//>
    `}
      ${n==="Changes"&&a`<${rs} now=${o} files=${d} control=${e} />`}
      ${n==="Sources"&&a`<${ps} sources=${l} />`}
    </div>
  </article>`:a`<p class="hint">Reading the run…</p>`}function Ye({state:t}){return t==="running"||t==="waiting"}function Ur(t){return new Map(t.filter(({url:e})=>xt(e)).map(({number:e,url:n})=>[e,n]))}function Hr(){return a`
    <div>
      <h1>There is no such run</h1>
      <p class="hint">It belongs to another server, or it was removed. Choose another one, or start a new one.</p>
    </div>
  `}function qr(t,e){let n=E(e);return L(()=>{!t||!n.current||document.activeElement!==document.body||document.querySelector("#panel")?.focus({preventScroll:!0})},[t]),()=>{n.current=!0}}function Vr({now:t,control:e}){let{id:n,state:s,task:o,agent:r,model:i,workspace:l,policy:u,grants:d,usage:c,can:m}=t,{info:p}=e.store.value,f=[r,i,u,Pe(c)].filter(b=>b),$=p&&Be({...p,policy:u??p.policy},l,d??{});return a`
    <header class="run-head">
      <h1 id="run-title">${o||"Run"}</h1>
      <div class="actions">
          ${m.cancel&&a`<button type="button" class="danger" onClick=${()=>void e.cancel(n)}>Stop</button>`}
          <${Ue} run=${t} control=${e} />
        </div>
      <div class="run-line">
        <${He} state=${s} />
        <span class="hint">${f.join(" \xB7 ")}</span>
        <span class="hint path">${l}</span>
      </div>
      ${$&&a`<${qe} chips=${$} />`}
    </header>
  `}function Br({tabs:t,tab:e,onChange:n}){return a`<div role="tablist" class="tabs" aria-label="Parts of the run" onKeyDown=${({key:o,currentTarget:r})=>{let i=o==="ArrowRight"?1:o==="ArrowLeft"?-1:0;if(i===0)return;let l=(t.findIndex(({name:u})=>u===e)+i+t.length)%t.length;n(t[l].name),r.children[l].focus()}}>${t.map(({name:o,count:r})=>a`
        <button type="button" role="tab" key=${o} id=${`tab-${o}`} aria-controls="panel"
          aria-selected=${o===e?"true":"false"} tabindex=${o===e?0:-1}
          onClick=${()=>n(o)}>${o}${r?a`<span class="count">${r}</span>`:""}</button>
      `)}</div>`}function Kr({run:{transcript:t,link:e},now:n,control:s}){let{id:o,state:r,questions:i,can:l,error:u}=n,d=c=>s.answer(o,c);return a`<div class="work">
    ${t.plan&&a`<${is} plan=${t.plan} />`}
    <${je} items=${Gr(t.items,n.task)} runId=${o} folder=${n.workspace} isAtWork=${Ye(n)} />
    ${r==="queued"&&a`<p class="note busy">${Jr(t.ahead)}</p>`}
    ${r==="running"&&a`
      <p class="note busy">${e==="away"?"Connection lost, trying again\u2026":"At work"}</p>
    `}
    ${u&&r==="failed"&&a`
      <div class="error-box">
        <p title=${u.code}>${u.message}</p>
      </div>
    `}
    ${i.map(c=>a`<${ls} key=${c.id} question=${c} onAnswer=${d} />`)}
    ${l.resume&&a`<${ds} key=${o} id=${o} control=${s} />`}
  </div>`}function Gr(t,e){let[n]=t;return n?.kind==="said"&&n.text.trim()===e.trim()?t.slice(1):t}function Jr(t){return t===null?"The run waits for its turn.":t===0?"The run is the next one: it starts when another one ends.":t===1?"One waiting run is before it.":`${t} waiting runs are before it.`}function gs({control:t,folder:e,onChoose:n}){let[s,o]=h(!1);return a`<div class="field">
    <span class="field-name" id="folder-name">Folder</span>
    <button type="button" class="folder-button" aria-describedby="folder-name" onClick=${()=>o(!0)}>
      <span class="path">${e||"\u2026"}</span></button>
    ${s&&a`
      <${zr} control=${t} folder=${e} onChoose=${n}
        onClose=${()=>o(!1)} />
    `}
  </div>`}function zr({control:t,folder:e,onChoose:n,onClose:s}){let o=E(null),[r,i]=h(null),[l,u]=h(""),d=p=>t.api.folders(p).then(f=>{i(f),u("")},f=>u(String(f.message)));w(()=>{o.current?.showModal(),d(e)},[]);let c=()=>{r&&n(r.path),o.current?.close()},m=t.store.value.info?.workspaces??[];return a`<dialog ref=${o} class="folders" aria-labelledby="folders-title" onClose=${s}>
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
  </dialog>`}function Qe(t){let{policy:e,tools:n,isNetDenied:s,isRunDenied:o}=t,[r,i,l,u]=[t.denyRead,t.denyWrite,t.denyNet,t.denyRun].map(hn),d={...(e==="read-only"||e==="read-only-no-net")&&{policy:e},...n&&{tools:[...n]},...r.length>0&&{deny_read:r},...i.length>0&&{deny_write:i},...(s||l.length>0)&&{deny_net:s||l},...(o||u.length>0)&&{deny_run:o||u}};return Object.keys(d).length>0?d:void 0}function ys(t){let{policy:e="",tools:n=null,deny_read:s,deny_write:o,deny_net:r,deny_run:i}=t??{},l=u=>Array.isArray(u)?u.join(", "):"";return{policy:e,tools:n,denyRead:l(s),denyNet:l(r),denyRun:l(i),denyWrite:o===!0?".":l(o),isNetDenied:r===!0,isRunDenied:i===!0}}function bs({info:t,control:e}){let{keys:n,model:s,model_problem:o}=t,[r,i]=h(""),[l,u]=h(!1),[d,c]=h(""),m=async f=>{f.preventDefault(),u(!0),c(""),c(await e.takeModel(r.trim())??""),u(!1)},p=Xr(n);return a`<section class="model-card" aria-labelledby="model-title">
    <h2 id="model-title">${s===null?"No model yet":`The model ${s} cannot be asked`}</h2>
    ${s===null?a`
        <p>${n.length===0?"No key of a provider was found in the environment of the server.":["Found: ",...n.map(({provider:f,variable:$},b)=>a`${b>0&&", "}<code>${$}</code> for <code>${f}/…</code>`)]}</p>
        <form class="actions try" onSubmit=${m}>
          <label class="unseen" for="model-name">Provider and model</label>
          <input id="model-name" type="text" required spellcheck="false" autocapitalize="off" value=${r}
            placeholder=${`${n[0]?.provider??"ollama"}/model`}
            onInput=${({currentTarget:f})=>i(f.value)} />
          <button type="submit" disabled=${l||r.trim()===""}>${l?"Trying\u2026":"Try and use it"}</button>
        </form>
      `:a`<p>${o}</p>`}
    ${d&&a`<p class="warning" role="alert">${d}</p>`}
    <p>Or set it in the shell, and start the server again:</p>
    <div class="lines"><pre tabindex="0">${p}</pre><${D} text=${p} /></div>
    <div class="actions"><a class="button" href="#/demo">Watch the demo</a><span class="hint">a recorded run; it needs no key</span></div>
  </section>`}function Xr([t]){let{provider:e,variable:n}=t??{provider:"openai",variable:"OPENAI_API_KEY"};return[t?`# ${n} is set`:`export ${n}=YOUR_KEY`,`export OPENAI_MODEL=${e}/NAME`,"bulkhead ui"].join(`
`)}function vs({info:t,folder:e,fields:n,onChange:s}){let[o,r]=h(!1),i=E(null);w(()=>{o&&i.current!==null&&document.getElementById(`field-${i.current}`)?.focus(),i.current=null});let l=m=>{i.current=m,r(!0),o&&m!==null&&document.getElementById(`field-${m}`)?.focus()},u=m=>s({...n,...m}),d=(m,p,f)=>a`<label class="field"><span class="field-name">${p}</span>
      <input type="text" id=${`field-${m}`} placeholder=${f} value=${n[m]} spellcheck="false"
        onInput=${({currentTarget:$})=>u({[m]:$.value})} /></label>`,c=(m,p)=>a`<label class="tick"><input type="checkbox" checked=${n[m]}
      onChange=${()=>u({[m]:!n[m]})} />${p}</label>`;return a`
    <${qe} chips=${Be(t,e,Qe(n))} onChip=${l} />
    <details class="permissions" open=${o} onToggle=${({currentTarget:m})=>r(m.open)}>
      <summary>Take permissions away</summary>
      <p class="hint">The server decides what is allowed. A run can do without some of it.</p>
      <div class="grid">
          <label class="field"><span class="field-name">Policy</span>
            <select value=${n.policy} onChange=${({currentTarget:m})=>u({policy:m.value})}>
              <option value="">As the server: ${t.policy}</option>
              <option value="read-only">read-only: nothing is changed</option>
              <option value="read-only-no-net">read-only-no-net: and no network</option>
            </select></label>
          ${d("denyRead","Paths not to read",".env, secrets")}
          ${d("denyWrite","Paths not to write","docs, package.json")}
          ${d("denyNet","Hosts not to reach","example.com")}
          ${d("denyRun","Programs not to start","git, npm")}
        </div>
      <div class="ticks">${c("isNetDenied","No network at all")}${c("isRunDenied","No programs at all")}</div>
      <${Yr} info=${t} tools=${n.tools} onChange=${m=>u({tools:m})} />
    </details>
  `}function Yr({info:t,tools:e,onChange:n}){let[s,o]=h(""),r=s.toLowerCase(),i=t.tools.filter(({full_name:u})=>u.toLowerCase().includes(r)),l=u=>{let d=e??[];n(d.includes(u)?d.filter(c=>c!==u):[...d,u])};return a`<fieldset class="tools">
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
  </fieldset>`}function ks({info:t,control:e,draft:n}){let s=n?.run,[o,r]=h(s?.prompt??""),[i,l]=h(s?.agent??t.agent),[u,d]=h(s?.model??""),[c,m]=h(s?.workspace??t.workspace),[p,f]=h(ys(s?.grants??null)),[$,b]=h(!1),y=Ge(),_=t.agents.find(({name:R})=>R===i)?.model??t.model,v=u||_,S=v===null||v===t.model&&t.model_problem!==null,x=S?"There is no model that can be asked":o.trim()===""?"Describe the task first":"",oe=async()=>{if(x!==""||$)return;b(!0);let R=Qe(p);await e.start({prompt:o,agent:i,workspace:c,...u!==""&&{model:u},...R&&{grants:R},...y.pictures.length>0&&{images:[...y.pictures]}}),b(!1)},re=R=>{R.preventDefault(),oe()};return a`
    <form class="start" onSubmit=${re} ...${Je(y)}>
      <h1>What should it do?</h1>
      ${S&&a`<${bs} info=${t} control=${e} />`}
      <${Qr} prompt=${o} onPrompt=${r} onSubmit=${re} chosen=${y}
        whyOff=${x} isTold=${S} isSending=${$} />
      <div class="grid">
        <${ws} name="Agent" value=${i} values=${t.agents.map(({name:R})=>R)} onChange=${l}
          hint=${t.agents.find(({name:R})=>R===i)?.description??""} />
        <${ws} name="Model" value=${u} values=${["",...t.models.filter(R=>R!==_)]}
          onChange=${d} none=${_===null?"none":`${_} (default)`} />
        <${gs} control=${e} folder=${c} onChoose=${m} />
      </div>
      <${vs} info=${t} folder=${c} fields=${p} onChange=${f} />
    </form>
  `}function Qr({prompt:t,onPrompt:e,onSubmit:n,chosen:s,whyOff:o,isTold:r,isSending:i}){let l=E(null);return w(()=>{matchMedia("(pointer: coarse)").matches||l.current?.focus()},[]),a`
    <div class="prompt-box">
      <label class="unseen" for="prompt">Task</label>
      <textarea id="prompt" rows="5" ref=${l} placeholder="Describe the task. Paste or drop pictures."
        value=${t}
        onInput=${({currentTarget:u})=>e(u.value)}
        onKeyDown=${u=>se(u)&&n(u)}></textarea>
      <${Xe} ...${s} />
      <div class="actions">
        <${ze} ...${s} />
        <span class="grow"></span>
        ${r&&a`<span class="hint">${o}</span>`}
        <button type="submit" class="primary" title=${o} disabled=${o!==""||i}>Start run</button>
      </div>
    </div>
  `}function ws({name:t,value:e,values:n,onChange:s,none:o="",hint:r=""}){return a`<label class="field"><span class="field-name">${t}</span>
    <select value=${e} onChange=${({currentTarget:i})=>s(i.value)}>
      ${n.map(i=>a`<option key=${i} value=${i}>${i||o}</option>`)}
    </select>
    ${r&&a`<span class="hint">${r}</span>`}
  </label>`}var Ze=["auto","light","dark"],xs="bulkhead-theme";function St(t=Cs()){document.documentElement.dataset.theme=t}function Ss(){let[t,e]=h(Cs()),n=Ze[(Ze.indexOf(t)+1)%Ze.length],s=()=>{localStorage.setItem(xs,n),St(n),e(n)},o={auto:"\u25D0",light:"\u2600",dark:"\u263E"}[t];return a`
    <button type="button" class="icon-button" onClick=${s}
      aria-label=${`Colours: ${t}. Change to ${n}`} title=${`Colours: ${t}`}>${o}</button>
  `}function Cs(){let t=localStorage.getItem(xs);return Ze.find(e=>e===t)??"auto"}function Ts({control:t}){let e=as(t.store),{route:n,problem:s,spoken:o,isLocked:r}=e;w(()=>{document.title=ni(e)});let i=u=>{u.preventDefault(),document.querySelector("#main")?.focus()},l=e.isAway||e.run?.link==="away";return a`<div class=${`page at-${n.at}${l?" is-away":""}`}>
    <a class="skip" href="#main" onClick=${i}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/"><${ei} />bulkhead</a>
      <a class="runs-link" href="#/runs">Runs</a>
      <span class="grow"></span>
      ${e.info&&a`<span class="hint version">${e.info.version}</span>`}
      <${Ss} />
      ${l&&a`<p class="away" role="status">Connection lost, trying again…</p>`}
    </header>
    ${!r&&a`<${Zn} state=${e} control=${t} />`}
    <main id="main" tabindex="-1">
      ${s&&a`<div class="error-box" role="alert"><p>${s.message}</p>
        <button type="button" class="small" onClick=${()=>t.closeProblem()}>Close</button></div>`}
      ${r?a`<${ti} />`:a`<${Zr} state=${e} control=${t} />`}
    </main>
    <div class="unseen" role="status">${o}</div>
  </div>`}function Zr({state:{route:t,info:e,run:n,draft:s},control:o}){return t.at==="run"&&n?a`<${_s} key=${n.id} run=${n} control=${o} />`:t.at==="list"?a`
      <div>
        <h1>Runs</h1>
        <p class="hint">Choose a run, or start a new one.</p>
      </div>
    `:t.at==="demo"?a`<${Yn} control=${o} />`:e?a`<${ks} key=${s?.key??0} info=${e} control=${o} draft=${s} />`:a`<p class="hint">Asking the server…</p>`}function ei(){return a`
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" />
      <path d="M8 2.5v11M8 8h3.2" />
    </svg>
  `}function ti(){let t=E(null);return L(()=>t.current?.focus(),[]),a`
    <form class="token" onSubmit=${n=>{n.preventDefault();let s=new FormData(n.currentTarget).get("token");location.assign(`/?token=${encodeURIComponent(String(s))}`)}}>
      <h1>The server wants its token</h1>
      <p>Open the address that <code>bulkhead serve</code> printed at its start, or enter its token.</p>
      <label class="field"><span class="field-name">Token</span>
          <input type="password" name="token" ref=${t} autocomplete="off" required /></label>
      <div class="actions"><button type="submit" class="primary">Open</button></div>
    </form>
  `}function ni({run:t}){return t?.now?`${{waiting:"? ",running:"\u2026 ",queued:"\u2026 ",failed:"\u2715 ",interrupted:"",completed:"\u2713 "}[t.now.state]}${t.now.task.slice(0,60)} - bulkhead`:"bulkhead"}St();Bt();var Es=new Re;Es.begin();Wt(a`<${Ts} control=${Es} />`,document.querySelector("#page"));
